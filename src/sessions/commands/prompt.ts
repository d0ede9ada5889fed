import { sameJson } from '../../projections/same-json.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { nextPrompt, started, type Job } from '../agent/job.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import { routeOf } from '../agent/route.ts'
import { runInteraction } from '../agent/run-interaction.ts'
import { agentNamed } from '../find-agent.ts'

/** Saves a prompt, and begins its interaction or queues it. The same prompt again gives the first reply and does nothing. */
export async function prompt(owned: OwnedSession, command: CommandOf<'prompt'>): Promise<Reply<'prompt'>> {
  const { newId } = owned.host
  const job: Job = {
    interaction: newId(),
    prompt: (command.prompt as PromptId | undefined) ?? newId(),
    parts: command.parts as readonly PromptPart[],
    ...(command.parent !== undefined && { parent: command.parent }),
  }
  const key = `prompt:${job.prompt}`
  const { entries, repeated, placed } = await owned.write(async appender => {
    const first = await findFirst(owned, key, job.prompt)
    if (first !== undefined) return { entries: [first], repeated: true, placed: job }
    refuseArchived(owned)
    await refuseWrongParent(owned, job)
    const own = { ...(await withoutNewest(owned, job)), route: routeOf(owned, job.parts) }
    return { ...(await appender.appendOnce(key, [firstEvent(owned, own)])), placed: own }
  })
  if (repeated) refuseOther(job, entries[0])
  const reply = replyTo(job.prompt, entries[0], repeated)
  if (!repeated && !reply.queued) owned.spawn(() => runInteraction(owned, placed))
  return reply
}

/** A prompt that is sent again is the same; with another text it would be dropped without a word. */
function refuseOther({ prompt: id, parts }: Job, first: Entry | undefined): void {
  const saved = first !== undefined && 'parts' in first.event ? first.event.parts : undefined
  if (saved === undefined || sameJson(saved, parts)) return
  throw new DragomanError(
    'prompt-exists',
    `Prompt ID ${id} belongs to another prompt in this session. Send this one with a new ID.`,
    { seq: first?.seq },
  )
}

/** Where a prompt was saved first. What a branch has copied was saved under no key of its own. */
async function findFirst(
  { host: { journal, catalogue }, record }: OwnedSession,
  key: string,
  id: PromptId,
): Promise<Entry | undefined> {
  const first = await journal.findByKey(record.session, key)
  if (first !== undefined || record.state.summary.branch === null) return first
  await record.settled()
  const copied = await catalogue.findMessage(record.session, id, null)
  return copied && (await journal.read(record.session, copied.firstSeq - 1, 1))[0]
}

function refuseArchived({ host, record }: OwnedSession): void {
  const { summary } = record.state
  if (summary.archived)
    throw new DragomanError(
      'session-archived',
      `Session ${record.session} is archived. Restore it before you send a prompt.`,
    )
  agentNamed(host.agents, summary.agent)
}

/** What is replaced must be at rest, and the message after which the conversation goes on must be part of it. */
async function refuseWrongParent(owned: OwnedSession, { parent }: Job): Promise<void> {
  if (parent === undefined) return
  refuseBusy(owned, 'continue from an earlier message')
  if (parent === null) return
  const { host, record } = owned
  await record.settled()
  const message = await host.catalogue.findMessage(record.session, parent, null)
  if (message?.replacedBy === null) return
  const why = message === undefined ? 'has no message' : 'has replaced the message'
  throw new DragomanError(
    'unknown-message',
    `The conversation of session ${record.session} ${why} ${parent}. Choose one that is part of it.`,
  )
}

/** Going on after the newest message replaces nothing, so it is no different from going on. */
async function withoutNewest({ host, record }: OwnedSession, job: Job): Promise<Job> {
  const { parent, ...rest } = job
  if (parent === undefined) return job
  const { messages } = await host.catalogue.messages(record.session, { thread: null, limit: 1 })
  return (messages[0]?.id ?? null) === parent ? rest : job
}

/** A prompt waits its turn while something runs or waits before it. */
function firstEvent({ record: { state }, held }: OwnedSession, job: Job) {
  const isFree = state.summary.running === null && nextPrompt(state, held) === undefined
  return isFree ? started(job, state.summary.agent) : queued(job)
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
