import type { AuditScope } from '../../catalogue/list-manipulations.ts'
import { rollBack, type Ledger, type RollbackScope } from '../../context/index.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from '../commands/reply.ts'
import { readLedger } from './read-ledger.ts'

/** Takes manipulations back, with all that followed from them. What does not hold any more is left alone. */
export async function rollBackInSession(
  owned: OwnedSession,
  command: CommandOf<'roll-back'>,
): Promise<Reply<'roll-back'>> {
  return owned.write(async appender => {
    const ledger = await readLedger(owned, auditFor(command))
    await refuseUnknown(owned, ledger, command)
    const event = eventFor(owned, ledger, command)
    if (event === null) return { rollback: null, manipulations: [], seq: null }
    const [entry] = await appender.append([event])
    return { rollback: event.rollback, manipulations: event.manipulations, seq: entry?.seq ?? 0 }
  })
}

/** No more of the audit is read than is taken back. */
function auditFor({ manipulations, tool, interaction, after }: CommandOf<'roll-back'>): AuditScope {
  if (tool !== undefined) return { tool }
  if (interaction !== undefined) return { interaction }
  return after === undefined ? { ids: manipulations ?? [] } : { after }
}

/** Several at once are one rollback, so that they can be taken back together. */
function eventFor(
  { host }: OwnedSession,
  ledger: Ledger,
  command: CommandOf<'roll-back'>,
): EventOf<'manipulation-rolled-back'> | null {
  const { reason = 'you undid it', by = 'person' } = command
  const actor = { kind: 'person', name: by } as const
  const events = scopesOf(command).flatMap(scope => {
    const event = rollBack(ledger, { scope, actor, reason }, host.newId)
    return event?.type === 'manipulation-rolled-back' ? [event] : []
  })
  const taken = new Set(events.flatMap(({ manipulations }) => manipulations))
  const manipulations = [...taken].filter(id => !isOlder(ledger, id))
  const [first] = events
  return first === undefined || manipulations.length === 0 ? null : { ...first, manipulations }
}

/** What was said in the older way is changed by saying something else; lists made for it know of no rollback. */
const isOlder = ({ manipulations }: Ledger, id: string) =>
  manipulations.get(id as ManipulationId)?.strategy === 'set-validity'

function scopesOf({
  manipulations,
  tool,
  interaction,
  after,
}: CommandOf<'roll-back'>): readonly RollbackScope[] {
  if (tool !== undefined) return [{ tool }]
  if (interaction !== undefined) return [{ interaction }]
  if (after !== undefined) return [{ afterSeq: after }]
  return (manipulations ?? []).map(id => ({ manipulation: id as ManipulationId }))
}

async function refuseUnknown(
  { host, record }: OwnedSession,
  ledger: Ledger,
  { manipulations = [], interaction }: CommandOf<'roll-back'>,
): Promise<void> {
  const isKnown = (id: string) =>
    ledger.manipulations.has(id as ManipulationId) || ledger.rollbacks.has(id as ManipulationId)
  const unknown = manipulations.find(id => !isKnown(id))
  if (unknown !== undefined)
    throw new DragomanError(
      'unknown-manipulation',
      `Session ${record.session} has no context change ${unknown}. Run "dragoman changes" to list them.`,
    )
  const older = manipulations.find(id => isOlder(ledger, id))
  if (older !== undefined)
    throw new DragomanError('change-refused', `${older} cannot be undone. Restore the interaction instead.`)
  if (interaction === undefined) return
  if (await host.catalogue.hasInteraction(record.session, interaction as InteractionId)) return
  throw new DragomanError(
    'unknown-interaction',
    `Session ${record.session} has no interaction ${interaction}.`,
  )
}
