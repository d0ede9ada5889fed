import { sameJson } from '../../projections/same-json.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { nextPrompt, started, type Job } from '../agent/job.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { refuseBusy, refuseInTerminal } from './refuse-busy.ts'
import type { Reply } from './reply.ts'
import { findRoute } from '../agent/find-route.ts'
import { runInteraction } from '../agent/run-interaction.ts'
import { agentNamed } from '../find-agent.ts'

/** Saves a prompt, and starts its interaction or queues it. Sending the same prompt again only returns the first reply. */
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
    refuseInTerminal(owned)
    await refuseWrongParent(owned, job)
    const own = { ...(await withoutNewest(owned, job)), route: findRoute(owned, job.parts) }
    return { ...(await appender.appendOnce(key, [firstEvent(owned, own)])), placed: own }
  })
  if (repeated) refuseOther(job, entries[0])
  const reply = replyTo(job.prompt, entries[0], repeated)
  if (!repeated && !reply.queued) owned.spawn(() => runInteraction(owned, placed))
  return reply
}

/** A prompt that is sent again must be the same: another text under the same id would be lost silently. */
function refuseOther({ prompt: id, parts }: Job, first: Entry | undefined): void {
  const saved = first !== undefined && 'parts' in first.event ? first.event.parts : undefined
  if (saved === undefined || sameJson(saved, parts)) return
  throw new DragomanError(
    'prompt-exists',
    `Prompt ID ${id} belongs to another prompt in this session. Send this one with a new ID.`,
    { seq: first?.seq },
  )
}

/** The entry in which a prompt was first saved. A prompt that a branch copied was saved without a key. */
async function findFirst(
  { host: { journal, catalogue }, writer }: OwnedSession,
  key: string,
  id: PromptId,
): Promise<Entry | undefined> {
  const first = await journal.findByKey(writer.session, key)
  if (first !== undefined || writer.state.summary.branch === null) return first
  await writer.settled()
  const copied = await catalogue.findMessage(writer.session, id, null)
  return copied && (await journal.read(writer.session, copied.firstSeq - 1, 1))[0]
}

function refuseArchived({ host, writer }: OwnedSession): void {
  const { summary } = writer.state
  if (summary.archived)
    throw new DragomanError(
      'session-archived',
      `Session ${writer.session} is archived. Restore it before you send a prompt.`,
    )
  agentNamed(host.agents, summary.agent)
}

/** Nothing may run while messages are replaced, and the message to continue from must be in the conversation. */
async function refuseWrongParent(owned: OwnedSession, { parent }: Job): Promise<void> {
  if (parent === undefined) return
  refuseBusy(owned, 'continue from an earlier message')
  if (parent === null) return
  const { host, writer } = owned
  await writer.settled()
  const message = await host.catalogue.findMessage(writer.session, parent, null)
  if (message?.replacedBy === null) return
  const why = message === undefined ? 'has no message' : 'has replaced the message'
  throw new DragomanError(
    'unknown-message',
    `The conversation of session ${writer.session} ${why} ${parent}. Choose one that is part of it.`,
  )
}

/** Continuing from the newest message replaces nothing, so it is a normal prompt. */
async function withoutNewest({ host, writer }: OwnedSession, job: Job): Promise<Job> {
  const { parent, ...rest } = job
  if (parent === undefined) return job
  const { messages } = await host.catalogue.messages(writer.session, { thread: null, limit: 1 })
  return (messages[0]?.id ?? null) === parent ? rest : job
}

/** A prompt is queued while an interaction runs or other prompts wait. */
function firstEvent({ writer: { state }, held }: OwnedSession, job: Job) {
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
