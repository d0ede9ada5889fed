import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { PromptId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Withdraws a queued prompt. */
export async function withdraw(
  owned: OwnedSession,
  command: CommandOf<'withdraw'>,
): Promise<Reply<'withdraw'>> {
  const prompt = command.prompt as PromptId
  return owned.write(async appender => {
    if (!owned.writer.state.queue.some(each => each.prompt === prompt))
      throw new DragomanError(
        'unknown-prompt',
        `Session ${owned.writer.session} has no queued prompt ${prompt}. If it has already started, stop it instead.`,
      )
    const [entry] = await appender.append([{ type: 'prompt-withdrawn', prompt }])
    owned.held.delete(prompt)
    return { prompt, seq: entry?.seq ?? 0 }
  })
}
