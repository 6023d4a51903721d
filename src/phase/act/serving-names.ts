import type { PhasePorts } from '../phase-run.ts';
import { isServed, type SliceAddress } from './slice-addresses.ts';

/**
 * Where a test finds who serves clients now, beside the slice under test: `<SERVICE>_SERVING_HOST` and `_PORT`. What the old version gave
 * out must hold for the new one. Nothing where nobody else serves, or where its address does not answer.
 */
export async function servingNames(
  ports: PhasePorts,
  found: readonly SliceAddress[],
  slice: string,
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const { way } of found) {
    const { slices } = await ports.traffic.observe(way.route);
    const [serving] = Object.entries(slices).flatMap(([name, { weight }]) =>
      weight > 0 && name !== slice ? [name] : [],
    );
    const preview = serving === undefined ? undefined : await ports.traffic.preview(way.route, serving);
    const [port] = preview?.ports ?? [];
    if (!preview || !port || !(await isServed(ports, preview))) continue;
    const name = way.route.service.toUpperCase().replaceAll('-', '_');
    env[`${name}_SERVING_HOST`] = preview.address;
    env[`${name}_SERVING_PORT`] = `${port.port}`;
  }
  return env;
}
