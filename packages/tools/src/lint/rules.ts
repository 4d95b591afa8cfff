import { ACCEPTED_WITHOUT_FINDING } from './comments.js';
import * as functions from './function-rules.js';
import { POLICY_CALLS_PER_ROW } from './policy-rule.js';
import * as policies from './policy-rules.js';
import * as relations from './relation-rules.js';
import * as roles from './role-rules.js';
import type { Rule } from './rule.js';
import * as storage from './storage-rules.js';

/** The gravest first. */
export const RULES: readonly Rule[] = [
  roles.AUTHENTICATOR_POWERS,
  roles.CREATE_ON_SCHEMA,
  relations.TABLE_WITHOUT_ROW_SECURITY,
  relations.CHILD_WITHOUT_ROW_SECURITY,
  policies.POLICIES_WITHOUT_ROW_SECURITY,
  policies.POLICY_ON_USER_METADATA,
  policies.POLICY_TRUE_BESIDE_OTHERS,
  relations.VIEW_BYPASSES_ROW_SECURITY,
  relations.LOGINS_EXPOSED,
  functions.DEFINER_SEARCH_PATH,
  roles.AUTHENTICATOR_INHERITS,
  roles.API_ROLE_BYPASSES_ROW_SECURITY,
  policies.ROW_SECURITY_WITHOUT_POLICY,
  policies.POLICY_TRUE_FOR_WRITES,
  functions.DEFINER_EXECUTABLE_BY_PUBLIC,
  functions.SESSION_STATE,
  relations.MATERIALIZED_VIEW_EXPOSED,
  relations.FOREIGN_TABLE_EXPOSED,
  storage.EXTENSION_EXPOSED,
  relations.SECRET_COLUMN,
  POLICY_CALLS_PER_ROW,
  policies.MULTIPLE_PERMISSIVE_POLICIES,
  storage.OPERATORS_OUTSIDE_SEARCH_PATH,
  storage.TABLE_WITHOUT_PRIMARY_KEY,
  relations.FOREIGN_KEY_WITHOUT_INDEX,
  storage.DUPLICATE_INDEX,
  storage.INVALID_INDEX,
  ACCEPTED_WITHOUT_FINDING,
  functions.FUNCTION_EXECUTABLE_BY_PUBLIC,
  functions.VOLATILE_BY_GET,
  relations.ESTIMATES_UNDER_POLICIES,
  storage.UNUSED_INDEX,
  storage.EXTENSION_OUTDATED,
];
