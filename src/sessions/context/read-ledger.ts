import type { AuditRow, AuditScope } from '../../catalogue/list-manipulations.ts'
import { createLedgerFold, type Ledger } from '../../context/index.ts'
import type { Fold } from '../../projections/fold.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionView } from '../view/session-view.ts'

/** What is said of the validity of parts in a session, as far as a scope goes: made from the rows of its audit. */
export const readLedger = async (view: SessionView, scope: AuditScope): Promise<Ledger> =>
  (await readAudit(view, scope)).view()

/** The same, to go on with. */
export async function readAudit({ host, record }: SessionView, scope: AuditScope): Promise<Fold<Ledger>> {
  await record.settled()
  const fold = createLedgerFold()
  for (const row of await host.catalogue.audit(record.session, scope)) fold.apply(asEntry(row))
  return fold
}

/** The ledger looks at nothing but these. */
const asEntry = ({ seq, at, event }: AuditRow) => ({ seq, at, event }) as Entry
