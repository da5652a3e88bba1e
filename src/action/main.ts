import { actionsRunner } from './actions-runner.ts';
import { runAction } from './run-action.ts';

process.exitCode = await runAction(actionsRunner());
