import { sql } from 'kysely';
import type { StoreDb } from '../../database/query.ts';

/** Which rollout may change an account. */
export interface RolloutOfAccount {
  readonly account: string;
  readonly rollout: string;
}

/** The key of the table admits one rollout for each account. */
export function rolloutAccountsOn(db: StoreDb) {
  return {
    /**
     * Gives accounts to a rollout, inside a transaction, and locks them until its end. `isOver` says whether another
     * rollout has finished with an account, which then changes hands. Returns the accounts that other rollouts keep: if
     * there are any, the transaction must be rolled back.
     */
    async claim(
      rollout: string,
      accounts: readonly string[],
      isOver: (other: RolloutOfAccount) => Promise<boolean>,
    ): Promise<readonly RolloutOfAccount[]> {
      // All claims take their locks in one order, so that none waits for another in a circle.
      await sql`
        insert into rampart_server.rollout_account (account, rollout)
        select account, ${rollout} from unnest(${accounts}::text[]) as given (account) order by account collate "C"
        on conflict do nothing
      `.execute(db);
      const { rows } = await sql<RolloutOfAccount>`
        select account, rollout from rampart_server.rollout_account
        where account = any(${accounts}::text[]) order by account for update
      `.execute(db);
      const kept: RolloutOfAccount[] = [];
      for (const each of rows) if (each.rollout !== rollout && !(await isOver(each))) kept.push(each);
      if (kept.length === 0)
        await sql`
          update rampart_server.rollout_account set rollout = ${rollout} where account = any(${accounts}::text[])
        `.execute(db);
      return kept;
    },

    /** The rollout that claimed each of the accounts last. */
    async holders(accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const { rows } = await sql<RolloutOfAccount>`
        select account, rollout from rampart_server.rollout_account where account = any(${accounts}::text[])
      `.execute(db);
      return new Map(rows.map(({ account, rollout }) => [account, rollout]));
    },
  };
}
