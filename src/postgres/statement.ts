/** SQL text that each connection parses once and binds many times, with its protocol messages encoded in advance. */

import { randomBytes } from 'node:crypto';
import type { Sql } from './sql.js';

export interface Statement {
  readonly id: number;
  readonly text: Sql;
  /** True for BEGIN and START TRANSACTION: after an error, a failed transaction block is open. */
  readonly begins: boolean;
  /** Parse with the statement's name, and without a name. */
  readonly parse: Buffer;
  readonly parseUnnamed: Buffer;
  /** Bind up to the parameter values: unnamed portal, statement name, all parameters as text. */
  readonly bindHead: Buffer;
  readonly bindHeadUnnamed: Buffer;
  /** Close of the named statement. */
  readonly close: Buffer;
}

/** Members, and the buffers that hold the messages, in bytes, without the text. */
const STATEMENT_BYTES = 2000;
/** The text stands in the statement and in both of its Parse messages. */
const COPIES = 4;

/** Bytes that a statement keeps in memory. */
export const statementBytes = ({ text }: Statement): number => STATEMENT_BYTES + COPIES * text.length;

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
    parse: parseMessage(name, text, parameterTypes),
    parseUnnamed: parseMessage('', text, parameterTypes),
    bindHead: bindHead(name),
    bindHeadUnnamed: bindHead(''),
    close: message('C', Buffer.from(`S${name}\0`, 'latin1')),
  };
}

/** A frontend message: type, length including itself, content (PostgreSQL manual, 55.7). */
export function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

function parseMessage(name: string, text: string, types: readonly number[]): Buffer {
  const oids = Buffer.alloc(2 + 4 * types.length);
  oids.writeInt16BE(types.length, 0);
  types.forEach((oid, index) => oids.writeUInt32BE(oid, 2 + 4 * index));
  return message('P', Buffer.concat([Buffer.from(`${name}\0${text.replaceAll('\0', '')}\0`, 'utf8'), oids]));
}

const bindHead = (name: string): Buffer => Buffer.from(`\0${name}\0\0\0`, 'latin1');
