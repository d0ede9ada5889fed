import type { AuditRow, AuditScope } from '../../catalogue/list-manipulations.ts'
import { createLedgerFold, type Ledger } from '../../context/index.ts'
import type { Fold } from '../../projections/fold.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionView } from '../view/session-view.ts'

/** The validity of the parts of a session within a scope, from the rows of its audit. */
export const readLedger = async (view: SessionView, scope: AuditScope): Promise<Ledger> =>
  (await readAudit(view, scope)).view()

/** The same, as a fold that can be continued. */
export async function readAudit({ host, record }: SessionView, scope: AuditScope): Promise<Fold<Ledger>> {
  await record.settled()
  const fold = createLedgerFold()
  for (const row of await host.catalogue.audit(record.session, scope)) fold.apply(asEntry(row))
  return fold
}

/** The only changes that the ledger uses. */
const asEntry = ({ seq, at, event }: AuditRow) => ({ seq, at, event }) as Entry
