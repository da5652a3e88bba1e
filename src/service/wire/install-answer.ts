import { InstallVendorResponseStatus as Status } from '../contract/antivirus.ts';
import type { InstallAnswer } from './fleet.ts';

export function fromInstallStatus(status: number): InstallAnswer {
  switch (status) {
    case Status.Accepted:
      return 'accepted';
    case Status.Pending:
      return 'pending';
    case Status.QuotaReached:
      return 'quota-reached';
    case Status.Unavailable:
      return 'unavailable';
    default:
      return { unknown: status };
  }
}
