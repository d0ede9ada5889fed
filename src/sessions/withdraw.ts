import type { CommandOf } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { PromptId } from '../protocol/ids.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

/** Takes a queued prompt back. */
export async function withdraw(
  live: LiveSession,
  command: CommandOf<'withdraw'>,
): Promise<Reply<'withdraw'>> {
  const prompt = command.prompt as PromptId
  return live.wish(async pen => {
    if (!live.line.state.queue.some(each => each.prompt === prompt))
      throw new DragomanError(
        'unknown-prompt',
        `Session ${live.line.session} has no queued prompt ${prompt}. If it has already started, stop it instead.`,
      )
    const [entry] = await pen.append([{ type: 'prompt-withdrawn', prompt }])
    live.held.delete(prompt)
    return { prompt, seq: entry?.seq ?? 0 }
  })
}
