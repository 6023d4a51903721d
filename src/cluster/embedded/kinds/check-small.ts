import { isObject, type JsonObject } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { duplicate, missing, tooLong, unsupported, wrong } from '../objects/refusals.ts';
import type { Unversioned } from '../store/transaction.ts';
import { refuseBadQuantities } from './check-pod.ts';

const dataKey = /^[-._a-zA-Z0-9]+$/;

/** All values of a ConfigMap or a Secret together may have so many bytes. */
const mostDataBytes = 1024 * 1024;

export function checkConfigMap(map: Unversioned): FieldCause[] {
  const [data, binary] = [objectIn(map, 'data'), objectIn(map, 'binaryData')];
  const causes = [...keyCauses('data', data), ...keyCauses('binaryData', binary)];
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binary, key))
      causes.push(wrong(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  // A server names no field here: the path of the whole object is empty.
  if (textBytes(data) + encodedBytes(binary) > mostDataBytes) causes.push(tooLong('[]', mostDataBytes));
  return causes;
}

export function checkSecret(secret: Unversioned): FieldCause[] {
  const data = objectIn(secret, 'data');
  const causes = keyCauses('data', data);
  if (encodedBytes(data) > mostDataBytes) causes.push(tooLong('data', mostDataBytes));
  return causes;
}

function objectIn(object: Unversioned, field: string): JsonObject {
  const value = object[field];
  return isObject(value) ? value : {};
}

function keyCauses(field: string, data: JsonObject): FieldCause[] {
  const why = 'a valid config key must consist of alphanumeric characters, -, _ or .';
  return Object.keys(data)
    .filter(key => !dataKey.test(key) || key.length > 253 || key === '.' || key === '..')
    .map(key => wrong(`${field}[${key}]`, key, why));
}

function textBytes(data: JsonObject): number {
  let units = 0;
  for (const key of Object.keys(data)) units += String(data[key]).length;
  // A unit has at most three bytes: mostly there is no need to count them.
  if (units * 3 <= mostDataBytes) return units;
  return Object.values(data).reduce<number>((bytes, text) => bytes + Buffer.byteLength(String(text)), 0);
}

function encodedBytes(data: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(data)) bytes += Buffer.byteLength(String(data[key]), 'base64');
  return bytes;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

export function checkService({ spec }: Unversioned): FieldCause[] {
  if (!isObject(spec)) return [];
  const { type, clusterIP, ports } = spec;
  const list = Array.isArray(ports) ? ports.filter(isObject) : [];
  if (list.length === 0)
    return type === 'ExternalName' || clusterIP === 'None' ? [] : [missing('spec.ports')];
  const names = list.map(port => port['name'] ?? '');
  return list.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    const causes = portCauses(port, at);
    if (list.length > 1 && names[index] === '') causes.push(missing(`${at}.name`));
    else if (list.length > 1 && names.indexOf(names[index] ?? '') < index) {
      causes.push(duplicate(`${at}.name`, names[index]));
    }
    return causes;
  });
}

function portCauses({ port, targetPort, nodePort, protocol = 'TCP' }: JsonObject, at: string): FieldCause[] {
  const isPort = (number: unknown) =>
    Number.isInteger(number) && Number(number) > 0 && Number(number) < 65536;
  const why = 'must be between 1 and 65535, inclusive';
  const causes: FieldCause[] = [];
  if (!isPort(port)) causes.push(wrong(`${at}.port`, port ?? 0, why));
  if (typeof targetPort === 'number' && !isPort(targetPort))
    causes.push(wrong(`${at}.targetPort`, targetPort, why));
  if (typeof nodePort === 'number' && nodePort !== 0 && !isPort(nodePort)) {
    causes.push(wrong(`${at}.nodePort`, nodePort, why));
  }
  if (!protocols.includes(String(protocol))) causes.push(unsupported(`${at}.protocol`, protocol, protocols));
  return causes;
}

export function checkPvc({ spec }: Unversioned): FieldCause[] {
  if (isObject(spec)) refuseBadQuantities(spec['resources']);
  return [];
}
