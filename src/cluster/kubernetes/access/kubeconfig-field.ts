import { dirname, resolve } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { isObject } from '../../../base/json.ts';

/**
 * A place in a kubeconfig: what stands there, and how to name it to a person. Programs in Go write an empty text for
 * what was left out, so empty is absent.
 */
export class KubeconfigField {
  readonly file: string;
  /** For example `users[2].user.exec`. */
  readonly path: string;
  readonly #value: unknown;

  constructor(file: string, path: string, value: unknown) {
    this.file = file;
    this.path = path;
    this.#value = value;
  }

  has(key: string): boolean {
    const value = this.#under(key);
    return value !== undefined && value !== null && value !== '';
  }

  text(key: string): string | undefined {
    if (!this.has(key)) return undefined;
    const value = this.#under(key);
    if (typeof value === 'string') return value;
    throw this.wrong(key, 'must be text');
  }

  flag(key: string): boolean {
    if (!this.has(key)) return false;
    const value = this.#under(key);
    if (typeof value === 'boolean') return value;
    throw this.wrong(key, 'must be true or false');
  }

  /** The object there, to look into. */
  object(key: string): KubeconfigField | undefined {
    if (!this.has(key)) return undefined;
    const value = this.#under(key);
    if (isObject(value)) return new KubeconfigField(this.file, this.#pathOf(key), value);
    throw this.wrong(key, 'must be an object');
  }

  /** The items of a list of objects. */
  items(key: string): KubeconfigField[] {
    if (!this.has(key)) return [];
    const value = this.#under(key);
    if (!Array.isArray(value)) throw this.wrong(key, 'must be a list');
    return value.map((item, index) => {
      const path = `${this.#pathOf(key)}[${index}]`;
      if (!isObject(item)) throw this.wrong(`${key}[${index}]`, 'must be an object');
      return new KubeconfigField(this.file, path, item);
    });
  }

  texts(key: string): string[] {
    if (!this.has(key)) return [];
    const value = this.#under(key);
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value;
    throw this.wrong(key, 'must be a list of texts');
  }

  /** As it stands there, whatever it is. */
  raw(key: string): unknown {
    return this.#under(key);
  }

  /** Bytes that are written as base64 in `<key>-data`, as the text they are. */
  data(key: string): string | undefined {
    const written = this.text(`${key}-data`);
    if (written === undefined) return undefined;
    if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(written)) throw this.wrong(`${key}-data`, 'is not base64');
    return Buffer.from(written, 'base64').toString();
  }

  /** A path, which is meant from the folder of the file. */
  pathOf(key: string): string | undefined {
    const written = this.text(key);
    return written === undefined ? undefined : resolve(dirname(this.file), written);
  }

  /** What is wrong with a field, as an error that names file and field. Never says what stands there. */
  wrong(key: string, what: string): CodedError {
    const field = this.#pathOf(key);
    const details = { file: this.file, field };
    return new CodedError('KubeconfigInvalid', `${this.file}: ${field} ${what}`, { details });
  }

  #under(key: string): unknown {
    return isObject(this.#value) && Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
  }

  #pathOf(key: string): string {
    if (this.path === '') return key;
    return key === '' ? this.path : `${this.path}.${key}`;
  }
}
