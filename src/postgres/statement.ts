/**
 * SQL text that each connection parses once and binds many times. Its messages are encoded when they are sent: buffers that are
 * kept for each statement would take several times the memory of the text, and keep the slabs that they are part of.
 */

import { randomBytes } from 'node:crypto';
import type { Sql } from './sql.js';

export interface Statement {
  readonly id: number;
  readonly text: Sql;
  /** True for BEGIN and START TRANSACTION: after an error, a failed transaction block is open. */
  readonly begins: boolean;
  /** On each connection that prepares it, in ASCII. */
  readonly name: string;
  /** Type OIDs of the first parameters; PostgreSQL infers the others, and those that are 0. */
  readonly parameterTypes: readonly number[];
  /** Content of Bind up to the parameter values: unnamed portal, name, all parameters as text. */
  readonly bindHead: string;
}

/** Members in bytes, without the text. */
const STATEMENT_BYTES = 300;
/** Bytes of a character of a text that is not Latin-1. */
const CHARACTER_BYTES = 2;

/** Bytes that a statement keeps in memory. */
export const statementBytes = ({ text }: Statement): number =>
  STATEMENT_BYTES + CHARACTER_BYTES * text.length;

let count = 0;

const PREFIX_BYTES = 6;

/**
 * Prefix of the names of this process. A pooler may give a connection of PostgreSQL to several processes: with a name that
 * two of them used, one would execute the statement of the other, perhaps in place of the one that sets the role.
 */
const prefix = randomBytes(PREFIX_BYTES).toString('base64url');

/**
 * @param text one SQL statement with `$1 …` for parameters
 * @param parameterTypes type OIDs; PostgreSQL infers absent ones
 */
export function prepare(text: Sql, parameterTypes: readonly number[] = []): Statement {
  const id = ++count;
  // The name is short, because it is sent with every execution.
  const name = `${prefix}${String(id)}`;
  return {
    id,
    text,
    begins: /^\s*(?:begin|start\s+transaction)\b/i.test(text),
    name,
    parameterTypes,
    bindHead: bindHead(name),
  };
}

/** A frontend message: type, length including itself, content (PostgreSQL manual, 55.7). */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** @param name empty for the unnamed statement */
export function parseMessage({ text, parameterTypes: types }: Statement, name: string): Buffer {
  const oids = Buffer.alloc(2 + 4 * types.length);
  oids.writeInt16BE(types.length, 0);
  types.forEach((oid, index) => oids.writeUInt32BE(oid, 2 + 4 * index));
  return message('P', Buffer.concat([Buffer.from(`${name}\0${text.replaceAll('\0', '')}\0`, 'utf8'), oids]));
}

export const closeMessage = (name: string): Buffer => message('C', Buffer.from(`S${name}\0`, 'latin1'));

const bindHead = (name: string): string => `\0${name}\0\0\0`;

/** That of the unnamed statement. */
export const UNNAMED_BIND_HEAD = bindHead('');
