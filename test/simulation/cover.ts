/** Which combinations of fault, client and operation have met in a schedule, in pairs and in threes. */
import { OPERATION_KINDS } from './operations.js';
import { CLIENT_KINDS, FAULT_KINDS, type Schedule } from './schedule.js';

export interface Cover {
  add(schedule: Schedule): void;
  /** `covered of possible` for pairs and for threes. */
  text(): string;
}

export function createCover(): Cover {
  const pairs = new Set<string>();
  const threes = new Set<string>();
  const [faults, clients, operations] = [FAULT_KINDS.length, CLIENT_KINDS.length, OPERATION_KINDS.length];
  return {
    add(schedule) {
      const faultKinds =
        schedule.faults.length === 0 ? (['none'] as const) : schedule.faults.map(({ kind }) => kind);
      for (const { kind: operation, client } of schedule.operations) {
        const by = schedule.clients.find(({ id }) => id === client)?.kind ?? '';
        pairs.add(`${by} ${operation}`);
        for (const fault of faultKinds) {
          pairs.add(`${fault} ${operation}`);
          pairs.add(`${fault} ${by}`);
          threes.add(`${fault} ${by} ${operation}`);
        }
      }
    },
    text: () =>
      `pairs ${String(pairs.size)} of ${String(faults * clients + faults * operations + clients * operations)}, threes ${String(threes.size)} of ${String(faults * clients * operations)}`,
  };
}
