import type { CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { EventOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

/** Says whether an interaction, or parts of it, still count. Nothing is destroyed, and it can be taken back. */
export async function setValidity(
  live: LiveSession,
  command: CommandOf<'set-validity'>,
): Promise<Reply<'set-validity'>> {
  return live.wish(async pen => {
    await refuseUnknown(live, command.interaction)
    if (command.replacedBy !== undefined) await refuseUnknown(live, command.replacedBy)
    const [entry] = await pen.append([eventOf(command)])
    return { seq: entry?.seq ?? 0 }
  })
}

async function refuseUnknown({ host, line }: LiveSession, interaction: string): Promise<void> {
  await line.settled()
  if (await host.catalogue.hasInteraction(line.session, interaction as InteractionId)) return
  throw new DragomanError('unknown-interaction', `Session ${line.session} has no interaction ${interaction}.`)
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
