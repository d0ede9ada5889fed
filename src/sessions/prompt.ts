import type { CommandOf } from '../protocol/command.ts'
import type { Entry } from '../protocol/entry.ts'
import { DragomanError } from '../protocol/error.ts'
import type { EventOf } from '../protocol/event.ts'
import type { PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import { nextPrompt, started, type Job } from './job.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'
import { runInteraction } from './run-interaction.ts'
import { agentNamed } from './start-agent.ts'

/** Saves a prompt, and begins its interaction or queues it. The same prompt again gives the first reply and does nothing. */
export async function prompt(live: LiveSession, command: CommandOf<'prompt'>): Promise<Reply<'prompt'>> {
  const { newId, journal } = live.host
  const job: Job = {
    interaction: newId(),
    prompt: (command.prompt as PromptId | undefined) ?? newId(),
    parts: command.parts as readonly PromptPart[],
  }
  const key = `prompt:${job.prompt}`
  const { entries, repeated } = await live.wish(async pen => {
    const first = await journal.findByKey(live.line.session, key)
    if (first !== undefined) return { entries: [first], repeated: true }
    return pen.appendOnce(key, [firstEvent(live, job)])
  })
  const reply = replyTo(job.prompt, entries[0], repeated)
  if (!repeated && !reply.queued) live.spawn(() => runInteraction(live, job))
  return reply
}

/** A prompt waits its turn while something runs or waits before it. */
function firstEvent({ host, line, held }: LiveSession, job: Job) {
  const { summary } = line.state
  if (summary.archived)
    throw new DragomanError(
      'session-archived',
      `Session ${line.session} is archived. Restore it before you prompt it.`,
    )
  agentNamed(host.agents, summary.agent)
  const isFree = summary.running === null && nextPrompt(line.state, held) === undefined
  return isFree ? started(job, summary.agent) : queued(job)
}

const queued = ({ prompt: id, parts }: Job): EventOf<'prompt-queued'> => ({
  type: 'prompt-queued',
  prompt: id,
  parts,
})

function replyTo(id: PromptId, first: Entry | undefined, repeated: boolean): Reply<'prompt'> {
  const interaction = first?.event.type === 'interaction-started' ? first.event.interaction : null
  return { prompt: id, interaction, queued: interaction === null, repeated, seq: first?.seq ?? 0 }
}
