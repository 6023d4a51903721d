/** One database of the database service. Every call names what it is about, so that it may be made twice. */
import { addressOf } from './address.mjs';
import { Peer } from './peer.mjs';

export class Store {
  #peer;
  #path;

  /** `patience`: for how many seconds a database that does not answer is asked again. */
  constructor(env, database, patience) {
    this.#peer = new Peer(addressOf(env, env.DATABASE || 'database', 3306), patience);
    this.#path = `/databases/${database}`;
  }

  /** A row, or nothing. */
  find(table, key) {
    return this.#peer.find(this.#pathOf(table, key));
  }

  /** Rows whose columns have these values; `limit` says how many at most. */
  async list(table, query = {}) {
    const path = `${this.#path}/tables/${table}/rows?${new URLSearchParams(query)}`;
    return JSON.parse(await this.#peer.send('GET', path)).rows;
  }

  /** Resolves when the row is durable. */
  async put(table, key, row) {
    await this.#peer.send('PUT', this.#pathOf(table, key), JSON.stringify(row));
  }

  /** Changes columns of a row. False where the row is not there (any more). */
  async merge(table, key, columns) {
    try {
      await this.#peer.send('PATCH', this.#pathOf(table, key), JSON.stringify(columns));
      return true;
    } catch (error) {
      if (error.said === 404) return false;
      throw error;
    }
  }

  async remove(table, key) {
    await this.#peer.send('DELETE', this.#pathOf(table, key));
  }

  /** Schema marks, and tables with their columns and how many rows they have; nothing where there is no database. */
  summary() {
    return this.#peer.find(this.#path);
  }

  async mark(marks) {
    await this.#peer.send('PUT', `${this.#path}/marks`, JSON.stringify(marks));
  }

  /** Gives a table these columns, of which rows must have the `required` ones; rows that are there must fit. */
  async shape(table, columns, required) {
    await this.#peer.send('PUT', `${this.#path}/tables/${table}`, JSON.stringify({ columns, required }));
  }

  /** Any call of the database service. Gives the bytes of its answer. */
  send(method, path, body, type = 'application/json') {
    return this.#peer.send(method, path, body, { 'content-type': type });
  }

  close() {
    this.#peer.close();
  }

  #pathOf(table, key) {
    return `${this.#path}/tables/${table}/rows/${encodeURIComponent(key)}`;
  }
}
