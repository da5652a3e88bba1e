import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { endpoint } from './endpoint.ts';
import { commonErrors } from './error-body.ts';
import { int64, openEnum } from './integer.ts';

/** Spec section 2, enumerations. Other numbers pass through. */
export const AvStatus = {
  ActionRequired: 0,
  Warning: 1,
  Unknown: 2,
  Ok: 3,
  FreeOk: 4,
  PartialOk: 5,
} as const;

/** One status applies to a whole install request. */
export const InstallVendorResponseStatus = {
  Unavailable: 0,
  Accepted: 1,
  Pending: 2,
  QuotaReached: 3,
} as const;

export const antivirusHost = once(() =>
  z.looseObject({
    hostId: int64(),
    hostDescription: z.string().nullable(),
    groupId: int64(),
    isOnline: z.boolean(),
    buildNumber: z.number().nullish(),
    isMac: z.boolean().optional(),
    antiVirusStatus: openEnum(AvStatus).nullish(),
    antiVirusName: z.string().nullish(),
    isRealTimeProtectionOn: z.boolean().nullish(),
    isVirusDefinitionUpToDate: z.boolean().nullish(),
    virusDefinitionVersion: z.string().nullish(),
    lastFullScanTime: z.string().nullish(),
    numberOfThreats: z.number().nullish(),
    isMultipleAntiVirusDetected: z.boolean().nullish(),
    capabilities: z
      .looseObject({
        canReportThreatLog: z.boolean().optional(),
        canReportRealTimeProtectionStatus: z.boolean().optional(),
      })
      .nullish(),
    vendorInstallSupported: z.boolean(),
    hasVendorInstalled: z.boolean(),
  }),
);

const targets = once(() => z.object({ targetHostIds: z.array(int64()) }));

export const antivirusEndpoints = {
  listAntivirusDetails: endpoint({
    method: 'GET',
    path: '/public-api/v1/hosts/anti-virus/details',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'the anti-virus status of all hosts',
        body: once(() =>
          z.looseObject({
            hostGroups: z.array(z.looseObject({ groupId: int64(), groupName: z.string().nullable() })),
            hosts: z.array(antivirusHost()),
          }),
        ),
      },
      ...commonErrors,
    },
    rateLimited: false,
    repetition: 'read',
    spec: 'section 4, #17',
    summary: 'Read the anti-virus status of the hosts.',
  }),
  refreshAntivirusStatus: endpoint({
    method: 'POST',
    path: '/public-api/v1/anti-virus/actions/refresh-status',
    parameters: {},
    request: targets,
    responses: {
      200: {
        meaning: 'for each host, whether the command was delivered',
        body: once(() =>
          z.looseObject({
            commandStatuses: z.array(z.looseObject({ targetHostId: int64(), sentSuccessfully: z.boolean() })),
          }),
        ),
      },
      ...commonErrors,
    },
    rateLimited: false,
    repetition: 'absolute',
    spec: 'section 4, #18',
    summary: 'Ask hosts to report their anti-virus status.',
  }),
  installAntivirus: endpoint({
    method: 'POST',
    path: '/public-api/v1/anti-virus/actions/install-vendor-endpoint-security',
    parameters: {},
    request: targets,
    responses: {
      200: {
        meaning: 'one status for the whole request',
        body: once(() => z.looseObject({ status: openEnum(InstallVendorResponseStatus) })),
      },
      ...commonErrors,
    },
    rateLimited: false,
    repetition: 'never',
    spec: 'section 4, #19',
    summary: "Install the vendor's anti-virus on hosts.",
  }),
} as const;
