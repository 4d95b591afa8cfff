/** What the commands of the command line run, beside the service. */
export { checkPolicies } from './check/check-policies.js';
export { renderChecks } from './doctor/check.js';
export { examine } from './doctor/doctor.js';
export { startFindings, type StartFinding } from './doctor/start-findings.js';
export { runKeyCommand } from './key-command.js';
export { renderRules } from './lint/lint.js';
export { lintSettings } from './lint/lint-settings.js';
export { testPolicies } from './policy-tests/test-policies.js';
export { askInTerminal, chooseProject } from './project/choices.js';
export { createDevelopmentLines } from './project/development-lines.js';
export { initProject } from './project/init.js';
export { developmentDefaults, migrateFolder, openProject } from './project/project.js';
export { watchFiles } from './project/watch-files.js';
export { describeDatabase } from './types/describe-database.js';
export { userRoleOf } from './user-role.js';
export { verifyAudit } from './verify-audit.js';
