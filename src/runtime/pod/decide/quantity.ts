const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A quantity (`500m`, `1.5Gi`, `2e3`) as a number; undefined where it is none. */
export function quantity(text: string | number): number | undefined {
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(String(text));
  const factor = factors[match?.[2] ?? ''];
  const value = Number(match?.[1]);
  return match && factor !== undefined && !Number.isNaN(value) ? value * factor : undefined;
}
