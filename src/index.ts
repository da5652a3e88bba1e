/**
 * Rampart as a library: read a desired state, read the fleet, plan, show, apply.
 *
 * @packageDocumentation
 */

export type { Budget } from './apply/admission.ts';
export type { ApplyInputs } from './apply/apply-plan.ts';
export { applyPlan } from './apply/apply-plan.ts';
export type { RunAccount, StepAccount } from './apply/run-account.ts';
export type { AdaptivePacerOptions } from './client/adaptive-pacer.ts';
export { createAdaptivePacer } from './client/adaptive-pacer.ts';
export type { Aliases } from './client/aliases.ts';
export type { CallFailure, CallResult } from './client/call-failure.ts';
export type { CallInput, CallOptions, Client } from './client/client.ts';
export type { ClientEvent } from './client/client-event.ts';
export type { ClientOptions } from './client/create-client.ts';
export { createClient } from './client/create-client.ts';
export type { Credentials } from './client/credentials.ts';
export type { AcquireOptions, Pacer, Turn } from './client/pacer.ts';
export { systemClock } from './client/system-clock.ts';
export type { HttpExchange, HttpOptions } from './client/undici-exchange.ts';
export { createUndiciExchange } from './client/undici-exchange.ts';
export type { Action, Api, PathParameters, RequestBody, ResponseBody } from './contract/api.ts';
export type { Method } from './contract/endpoint.ts';
export type {
  Exchange,
  ExchangeOptions,
  RequestMessage,
  ResponseMessage,
  TransportFailure,
} from './contract/message.ts';
export { TransportError } from './contract/message.ts';
export type { JsonObject } from './contract/openapi.ts';
export { openApiDocument } from './contract/openapi.ts';
export type { OpenTable } from './desired/entries/read-hosts-from.ts';
export type { LoadDesiredOptions } from './desired/load-desired.ts';
export { loadDesired } from './desired/load-desired.ts';
export type { ReadDesiredOptions } from './desired/read-desired.ts';
export { readDesired } from './desired/read-desired.ts';
export { fleetJsonSchema } from './desired/schema/json-schema.ts';
export type { Source } from './desired/sources/decode-source.ts';
export type { FleetSource } from './desired/typescript/define-fleet.ts';
export { defineFleet, host, rule } from './desired/typescript/define-fleet.ts';
export type {
  Fleet,
  FleetGroup,
  FleetHost,
  FleetKnownDrift,
  FleetPlace,
  FleetRule,
  Id,
} from './desired/typescript/fleet.ts';
export type {
  FleetChangePolicy,
  FleetFreeze,
  FleetGroupPolicy,
  FleetLimit,
  FleetPolicy,
  FleetProtection,
  FleetTime,
  FleetWindow,
} from './desired/typescript/fleet-policy.ts';
export type { RunScriptOptions } from './desired/typescript/run-script.ts';
export type {
  EncodedValue,
  ScriptFile,
  ScriptOutput,
  ScriptPlace,
} from './desired/typescript/script-output.ts';
export type { EmulatedAccounts } from './emulator/accounts.ts';
export { createEmulatedAccounts } from './emulator/accounts.ts';
export type { PacedResponse } from './emulator/drip.ts';
export type { Edit } from './emulator/edit.ts';
export type { Emulator, EmulatorOptions, RateLimits, Respond } from './emulator/emulator.ts';
export { createEmulator } from './emulator/emulator.ts';
export type { FaultPlan } from './emulator/fault.ts';
export type { FleetState } from './emulator/fleet-state.ts';
export type { GenerateAccountsOptions, GenerateOptions } from './emulator/generate.ts';
export { generateAccounts, generateFleet } from './emulator/generate.ts';
export type { RateLimit } from './emulator/limiter.ts';
export { readSeed } from './emulator/seed.ts';
export type { Servable, Served, ServeOptions } from './emulator/serve.ts';
export { serve } from './emulator/serve.ts';
export type { ServiceSettings } from './emulator/service-settings.ts';
export { readServiceSettings } from './emulator/service-settings.ts';
export type { Switches } from './emulator/switches.ts';
export type { JournalOptions } from './journal/create-journal.ts';
export { createJournal } from './journal/create-journal.ts';
export type { Journal, OutcomeDetails } from './journal/journal.ts';
export type { Clock } from './lib/clock.ts';
export type { Account } from './model/account.ts';
export type { ChangeWindow } from './model/change-window.ts';
export type { Desired, Entry, EntryAttribute, Limit, LimitName, Limits } from './model/desired.ts';
export type { Group, GroupId, GroupWish } from './model/group.ts';
export { toGroupId } from './model/group.ts';
export type { HostId } from './model/host-id.ts';
export { toHostId } from './model/host-id.ts';
export type {
  AntivirusFact,
  ListName,
  ListRead,
  Observed,
  ObservedHost,
  ObservedParts,
} from './model/observed.ts';
export { observe } from './model/observed.ts';
export type {
  ChangeKind,
  ChangePolicy,
  Freeze,
  GroupPolicy,
  Policy,
  Protection,
  Unmanaged,
  WindowPolicy,
} from './model/policy.ts';
export type { CallEvent, OnEvent, RunEvent, StepOutcome } from './model/run-event.ts';
export type { Snapshot } from './model/snapshot.ts';
export { printSnapshot, readSnapshot } from './model/snapshot.ts';
export type { WriteAction } from './model/write-action.ts';
export { printPlan, readPlan } from './plan/document/plan-document.ts';
export type { PlanInputs } from './plan/make-plan.ts';
export { makePlan } from './plan/make-plan.ts';
export type {
  AckKind,
  Acks,
  AntivirusStep,
  BatchMember,
  Breach,
  CallCount,
  Constraints,
  DeleteStep,
  Expectation,
  Forecast,
  Hazard,
  MoveStep,
  ObservedSummary,
  Pace,
  ParkStep,
  Plan,
  PlannedWindow,
  Reason,
  Rehearsal,
  RehearsedRun,
  RenameStep,
  Step,
  StepId,
  StepKind,
  Summary,
  UndoItem,
} from './plan/plan.ts';
export { hostIdsOf, isEmpty } from './plan/plan.ts';
export type { Place } from './problem/place.ts';
export type { Problem, ProblemDetails, Severity } from './problem/problem.ts';
export type { ProblemCode, ProblemFamily } from './problem/problem-code.ts';
export { familyOf } from './problem/problem-code.ts';
export type { Result } from './problem/result.ts';
export type { Colour } from './review/colour.ts';
export type { RenameComponent } from './review/rename-rows.ts';
export type { HostRow, MoveRows, PlanRows } from './review/rows.ts';
export { toRows } from './review/rows.ts';
export type { TerminalOptions } from './review/terminal.ts';
export { paintPlan } from './review/terminal.ts';
export type { ReaderOptions } from './wire/create-fleet-reader.ts';
export { createFleetReader } from './wire/create-fleet-reader.ts';
export { createFleetWriter } from './wire/create-fleet-writer.ts';
export type {
  FleetReader,
  FleetWriter,
  InstallAnswer,
  ReadOptions,
  WriteOptions,
  WriteResult,
} from './wire/fleet.ts';
