import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Sets the validity of an interaction or of parts of it. Nothing is deleted, and the change can be undone. */
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

async function refuseUnknown({ host, writer }: OwnedSession, interaction: string): Promise<void> {
  await writer.settled()
  if (await host.catalogue.hasInteraction(writer.session, interaction as InteractionId)) return
  throw new DragomanError(
    'unknown-interaction',
    `Session ${writer.session} has no interaction ${interaction}.`,
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
