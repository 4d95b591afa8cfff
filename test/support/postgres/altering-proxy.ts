/** A proxy to PostgreSQL that alters messages of the server. */
import { openRelay, type Relay } from './relay.js';

export interface AlteringProxy extends Relay {
  /** Alters the next message of the server that has this type and contains the text. */
  alterNext(type: string, text: string, alter: (message: Buffer) => Buffer): void;
  /** Whether the alteration has been made. */
  readonly hasAltered: boolean;
}

interface Alteration {
  readonly type: number;
  readonly text: string;
  readonly alter: (message: Buffer) => Buffer;
}

export async function openAlteringProxy(serverUri: string): Promise<AlteringProxy> {
  let due: Alteration | null = null;

  /** Passes whole messages on, one of them altered. */
  const altering = (send: (bytes: Buffer) => void) => {
    let rest = Buffer.alloc(0);
    return (chunk: Buffer): void => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5) {
        const end = 1 + rest.readUInt32BE(1);
        if (end > rest.length) return;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (due !== null && message[0] === due.type && message.includes(due.text)) {
          const { alter } = due;
          due = null;
          send(alter(message));
        } else send(message);
      }
    };
  };

  const relay = await openRelay(serverUri, { fromServer: altering });
  return {
    ...relay,
    alterNext(type, text, alter) {
      due = { type: type.charCodeAt(0), text, alter };
    },
    get hasAltered() {
      return due === null;
    },
  };
}
