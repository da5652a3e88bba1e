/**
 * Rampart as a library: read a desired state, read the fleet, plan, show, apply.
 *
 * @packageDocumentation
 */

export type { Clock } from './core/lib/surroundings.ts';
export type { Account } from './core/model/account.ts';
export type { ChangeWindow } from './core/model/change-window.ts';
export type { Desired } from './core/model/desired.ts';
export type { Entry, EntryAttribute } from './core/model/entry.ts';
export type {
  AntivirusFact,
  Group,
  GroupId,
  GroupIntent,
  HostId,
  ListName,
  ListRead,
  Observed,
  ObservedHost,
  ObservedParts,
} from './core/model/observed.ts';
export { observe, toGroupId, toHostId } from './core/model/observed.ts';
export type {
  ChangeKind,
  ChangePolicy,
  Freeze,
  GroupPolicy,
  Limit,
  LimitName,
  Limits,
  Policy,
  Protection,
  Unmanaged,
  WindowPolicy,
} from './core/model/policy.ts';
export type { CallEvent, OnEvent, RunEvent, StepOutcome } from './core/model/run-event.ts';
export type { Snapshot } from './core/model/snapshot.ts';
export { printSnapshot, readSnapshot } from './core/model/snapshot.ts';
export type { WriteAction } from './core/model/write-action.ts';
export { planChecksum, printPlan, readPlan } from './core/plan/document/plan-document.ts';
export { makePlan } from './core/plan/make-plan.ts';
export type { Forecast, Pace, Rehearsal, RehearsedRun } from './core/plan/types/forecast.ts';
export type {
  AckKind,
  Acks,
  Breach,
  CallCount,
  Constraints,
  ObservedSummary,
  Plan,
  PlannedWindow,
  Summary,
  UndoItem,
} from './core/plan/types/plan.ts';
export { isEmpty } from './core/plan/types/plan.ts';
export type { PlanInputs } from './core/plan/types/plan-inputs.ts';
export type { RunSummary, StepSummary } from './core/plan/types/run-summary.ts';
export type {
  AntivirusStep,
  BatchMember,
  DeleteStep,
  Expectation,
  Hazard,
  MoveStep,
  Reason,
  RenameStep,
  Step,
  StepId,
  StepKind,
  TemporaryRenameStep,
} from './core/plan/types/step.ts';
export { hostIdsOf } from './core/plan/types/step.ts';
export type { Place, Problem, ProblemDetails, Result, Severity } from './core/problem/problem.ts';
export type { ProblemCode, ProblemFamily } from './core/problem/problem-code.ts';
export { familyOf } from './core/problem/problem-code.ts';
export type { LoadDesiredOptions } from './input/load-desired.ts';
export { loadDesired } from './input/load-desired.ts';
export type { ReadDesiredOptions } from './input/read-desired.ts';
export { readDesired } from './input/read-desired.ts';
export { fleetJsonSchema } from './input/schema/json-schema.ts';
export type { Source } from './input/sources/decode-source.ts';
export type { OpenTable } from './input/sources/open-table.ts';
export type {
  EncodedValue,
  ScriptFile,
  ScriptOutput,
  ScriptPlace,
} from './input/sources/script-output.ts';
export type { FleetSource } from './input/typescript/define-fleet.ts';
export { defineFleet, host, rule } from './input/typescript/define-fleet.ts';
export type {
  Fleet,
  FleetHost,
  FleetKnownDrift,
  FleetPlace,
  FleetRule,
  FleetStage,
  FleetTable,
} from './input/typescript/fleet.ts';
export type {
  FleetChangePolicy,
  FleetFreeze,
  FleetGroupPolicy,
  FleetPolicy,
  FleetProtection,
  FleetWindow,
} from './input/typescript/fleet-policy.ts';
export type { FleetGroup, FleetLimit, FleetTime, Id } from './input/typescript/fleet-values.ts';
export type { RunScriptOptions } from './input/typescript/run-script.ts';
export type { Color } from './output/review/color.ts';
export { plainColor } from './output/review/color.ts';
export type { RenameComponent } from './output/review/rename-rows.ts';
export type { HostRow, MoveRows, PlanRows } from './output/review/rows.ts';
export { toRows } from './output/review/rows.ts';
export type { TerminalOptions } from './output/review/terminal.ts';
export { paintPlan } from './output/review/terminal.ts';
export type { Budget, CallAllowance } from './run/apply/admission.ts';
export type { ApplyInputs } from './run/apply/apply-plan.ts';
export { applyPlan } from './run/apply/apply-plan.ts';
export { underLease } from './run/apply/under-lease.ts';
export type { RunQuery, State } from './run/state/interface/state.ts';
export type { Journal, OutcomeDetails } from './run/state/journal/journal.ts';
export type { RunHead } from './run/state/journal/journal-on.ts';
export type { Lease } from './run/state/lease/lease.ts';
export type { LockRequest } from './run/state/lease/wait-for-lock.ts';
export type { OpenStateOptions } from './run/state/open-state.ts';
export { openState } from './run/state/open-state.ts';
export type { AdaptivePacerOptions } from './service/client/adaptive-pacer.ts';
export { createAdaptivePacer } from './service/client/adaptive-pacer.ts';
export type { Aliases } from './service/client/aliases.ts';
export type { CallFailure, CallInput, CallOptions, CallResult, Client } from './service/client/client.ts';
export type { ClientEvent } from './service/client/client-event.ts';
export type { ClientOptions } from './service/client/create-client.ts';
export { createClient } from './service/client/create-client.ts';
export type { Credentials } from './service/client/credentials.ts';
export type { AcquireOptions, Pacer, Turn } from './service/client/pacer.ts';
export { systemClock } from './service/client/system-clock.ts';
export type { HttpExchange, HttpOptions } from './service/client/undici-exchange.ts';
export { createUndiciExchange } from './service/client/undici-exchange.ts';
export type { Action, Api, PathParameters, RequestBody, ResponseBody } from './service/contract/api.ts';
export type { Method } from './service/contract/endpoint.ts';
export type {
  Exchange,
  ExchangeOptions,
  RequestMessage,
  ResponseMessage,
  TransportFailure,
} from './service/contract/message.ts';
export { TransportError } from './service/contract/message.ts';
export type { JsonObject } from './service/contract/openapi.ts';
export { openApiDocument } from './service/contract/openapi.ts';
export type { EmulatedAccounts } from './service/emulator/accounts.ts';
export { createEmulatedAccounts } from './service/emulator/accounts.ts';
export type { PacedResponse } from './service/emulator/drip.ts';
export type { Edit } from './service/emulator/edit.ts';
export type { Emulator, EmulatorOptions, RateLimits, Respond } from './service/emulator/emulator.ts';
export { createEmulator } from './service/emulator/emulator.ts';
export type { FaultPlan } from './service/emulator/fault.ts';
export type { FleetState } from './service/emulator/fleet-state.ts';
export type { GenerateAccountsOptions, GenerateOptions } from './service/emulator/generate.ts';
export { generateAccounts, generateFleet } from './service/emulator/generate.ts';
export type { RateLimit } from './service/emulator/limiter.ts';
export { readSeed } from './service/emulator/seed.ts';
export type { Servable, Served, ServeOptions } from './service/emulator/serve.ts';
export { serve } from './service/emulator/serve.ts';
export type { ServiceSettings } from './service/emulator/service-settings.ts';
export { readServiceSettings } from './service/emulator/service-settings.ts';
export type { Switches } from './service/emulator/switches.ts';
export type { ReaderOptions } from './service/wire/create-fleet-reader.ts';
export { createFleetReader } from './service/wire/create-fleet-reader.ts';
export { createFleetWriter } from './service/wire/create-fleet-writer.ts';
export type {
  FleetReader,
  FleetWriter,
  InstallAnswer,
  ReadOptions,
  WriteOptions,
  WriteResult,
} from './service/wire/fleet.ts';
