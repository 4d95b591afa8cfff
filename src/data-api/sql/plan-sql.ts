import type { RunnablePlan } from '../plan/plan.js';
import type { MainStatement } from './main-statement.js';
import { mutationSql } from './mutation.js';
import { callSql, readSql } from './read.js';

/** Returns the main statement of a plan. */
export function planSql(plan: RunnablePlan): MainStatement {
  switch (plan.kind) {
    case 'read':
      return readSql(plan);
    case 'mutation':
      return mutationSql(plan);
    case 'call':
      return callSql(plan);
  }
}
