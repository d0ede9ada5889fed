import type { AuditScope } from '../../catalogue/list-manipulations.ts'
import { rollBack, type Ledger, type RollbackScope } from '../../context/index.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from '../commands/reply.ts'
import { readLedger } from './read-ledger.ts'

/** Rolls back manipulations, with all that followed from them. Those that are already undone stay as they are. */
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

/** Reads only the rows of the audit that are rolled back. */
function auditFor({ manipulations, tool, interaction, after }: CommandOf<'roll-back'>): AuditScope {
  if (tool !== undefined) return { tool }
  if (interaction !== undefined) return { interaction }
  return after === undefined ? { ids: manipulations ?? [] } : { after }
}

/** Several at once are one rollback, so that it can be undone as a whole. */
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

/** Changes of the older kind are undone by a new change, because their readers do not know rollbacks. */
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
  { host, writer }: OwnedSession,
  ledger: Ledger,
  { manipulations = [], interaction }: CommandOf<'roll-back'>,
): Promise<void> {
  const isKnown = (id: string) =>
    ledger.manipulations.has(id as ManipulationId) || ledger.rollbacks.has(id as ManipulationId)
  const unknown = manipulations.find(id => !isKnown(id))
  if (unknown !== undefined)
    throw new DragomanError(
      'unknown-manipulation',
      `Session ${writer.session} has no context change ${unknown}. Run "dragoman changes" to list them.`,
    )
  const older = manipulations.find(id => isOlder(ledger, id))
  if (older !== undefined)
    throw new DragomanError('change-refused', `${older} cannot be undone. Restore the interaction instead.`)
  if (interaction === undefined) return
  if (await host.catalogue.hasInteraction(writer.session, interaction as InteractionId)) return
  throw new DragomanError(
    'unknown-interaction',
    `Session ${writer.session} has no interaction ${interaction}.`,
  )
}
