import type { Result } from '../../core/problem/result.ts';
import type { SourcePosition } from './account-record.ts';
import { notBuilt } from './not-built.ts';
import type { Page, PageRequest } from './page.ts';
import type { StoreDb } from './tables.ts';

export interface CauseRecord {
  readonly id: string;
  readonly kind: 'file' | 'fleet' | 'failure';
  readonly title: string;
  readonly rule: string | null;
  readonly place: SourcePosition | null;
  readonly hosts: number;
  readonly accounts: number;
  readonly since: Date;
}

export interface CauseQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly kind?: string | undefined;
}

export type Causes = ReturnType<typeof causesOn>;

export function causesOn(_db: StoreDb) {
  return {
    /** Over all visible accounts, the ones with most hosts first. */
    list: (_query: CauseQuery): Promise<Result<Page<CauseRecord>>> => notBuilt(),
  };
}
