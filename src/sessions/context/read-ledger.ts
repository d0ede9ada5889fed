import type { AuditRow, AuditScope } from '../../catalogue/list-manipulations.ts'
import { createLedgerFold, type Ledger } from '../../context/index.ts'
import type { Fold } from '../../projections/fold.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { LiveSession } from '../live-session.ts'

/** What is said of the validity of parts in a session, as far as a scope goes: made from the rows of its audit. */
export const readLedger = async (live: LiveSession, scope: AuditScope): Promise<Ledger> =>
  (await readAudit(live, scope)).view()

/** The same, to go on with. */
export async function readAudit({ host, line }: LiveSession, scope: AuditScope): Promise<Fold<Ledger>> {
  await line.settled()
  const fold = createLedgerFold()
  for (const row of await host.catalogue.audit(line.session, scope)) fold.apply(asEntry(row))
  return fold
}

/** The ledger looks at nothing but these. */
const asEntry = ({ seq, at, event }: AuditRow) => ({ seq, at, event }) as Entry
