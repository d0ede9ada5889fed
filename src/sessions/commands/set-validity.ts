import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Says whether an interaction, or parts of it, still count. Nothing is destroyed, and it can be taken back. */
export async function setValidity(
  owned: OwnedSession,
  command: CommandOf<'set-validity'>,
): Promise<Reply<'set-validity'>> {
  return owned.write(async appender => {
    await refuseUnknown(owned, command.interaction)
    if (command.replacedBy !== undefined) await refuseUnknown(owned, command.replacedBy)
    const [entry] = await appender.append([eventOf(command)])
    return { seq: entry?.seq ?? 0 }
  })
}

async function refuseUnknown({ host, record }: OwnedSession, interaction: string): Promise<void> {
  await record.settled()
  if (await host.catalogue.hasInteraction(record.session, interaction as InteractionId)) return
  throw new DragomanError(
    'unknown-interaction',
    `Session ${record.session} has no interaction ${interaction}.`,
  )
}

function eventOf(command: CommandOf<'set-validity'>): EventOf<'validity-changed'> {
  const { interaction, parts, to, by, reason, replacedBy = null } = command
  return {
    type: 'validity-changed',
    target: { interaction: interaction as InteractionId, ...(parts !== undefined && { parts }) },
    to,
    by,
    reason,
    replacedBy: replacedBy as InteractionId | null,
  }
}
