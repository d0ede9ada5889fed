import { randomUUID } from 'node:crypto'
import type { Agent } from '../../agents/agent.ts'
import type { Approval } from '../../projections/approvals.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Outcome } from '../../protocol/event.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { endsWithin } from '../../sessions/wait.ts'
import { askPerson } from '../ask/ask-person.ts'
import type { Answer, Asked } from '../ask/dialogue.ts'
import { createInterviewer, type Interviewer } from '../ask/interviewer.ts'
import { createLineSource } from '../ask/line-source.ts'
import type { EndCause, ExitCode, Shell } from '../shell.ts'
import type { SessionsApi } from '../sessions-api/sessions-api.ts'
import type { EntryView } from '../entry-view.ts'
import { inertLine } from '../terminal/inert.ts'
import { watchSilence, type SilenceWatch } from './watch-silence.ts'
import { watchTroubles } from './watch-troubles.ts'

/** A prompt to run. */
export interface PromptRun {
  readonly api: SessionsApi
  /** The agents as they are configured. */
  readonly agents: readonly Agent[]
  readonly session: SessionId
  /** Entries after this one are shown. */
  readonly after: number
  readonly prompt: string
  readonly view: EntryView
  /** Whether the view shows native lines. */
  readonly raw: boolean
  readonly shell: Shell
  /** Whether a person can answer approvals. */
  readonly interactive: boolean
}

/** How long to wait for the agent to stop after the user quit. */
const farewellMs = 2000

/** Runs a prompt to the end of its interaction, and returns the exit code. */
export async function runPrompt(run: PromptRun): Promise<ExitCode> {
  const { api, session, prompt, shell } = run
  const quit = new AbortController()
  const ours: Ours = { prompt: randomUUID(), interaction: null, agent: null }
  let cause: EndCause | null = null
  let stopping: Promise<void> | undefined
  using _guard = shell.guard(now => {
    const isFirst = now === 'interrupt' && cause === null
    if (isFirst) shell.err.write('\nStopping the agent. Press Ctrl-C again to quit.\n')
    else quit.abort()
    cause = now
    stopping ??= stop(run, ours).catch((error: unknown) => say(shell, error))
  })
  using lines = run.interactive ? createLineSource(shell.stdin) : null
  const answer = async (asked: Approval, moot: AbortSignal) => {
    // Approvals of other interactions are not asked here.
    if (asked.interaction !== null && asked.interaction !== ours.interaction) return null
    return lines === null
      ? deny(run, asked)
      : askPerson({ lines, out: shell.out, view: run.view }, withChoice(asked, run.agents, ours), moot)
  }
  await using interviewer = createInterviewer({ answer, give: (asked, given) => give(run, asked, given) })

  using _alarm = watchTroubles(api, session, {
    report: sentence => shell.err.write(`${inertLine(sentence)}\n`),
    giveUp: () => quit.abort(),
  })
  await api.prompt({
    type: 'prompt',
    session,
    prompt: ours.prompt,
    parts: [{ type: 'text', text: prompt }],
  })
  using silence = watchSilence(sentence => shell.err.write(`${sentence}\n`), true)
  const outcome = await watch(run, ours, { interviewer, silence }, quit.signal)
  if (outcome === null) await endsWithin(farewellMs, stopping ?? Promise.resolve())
  return outcome === 'finished' || cause === 'reader-gone' ? 0 : 1
}

/** Our prompt, and the interaction that it started. */
interface Ours {
  readonly prompt: string
  interaction: InteractionId | null
  /** The agent that runs it. */
  agent: string | null
}

/** For an unknown agent, assume that it cannot take a changed input. */
function withChoice(approval: Approval, agents: readonly Agent[], { agent: name }: Ours): Asked {
  const agent = agents.find(each => each.name === name)
  const isQuestion = agent?.questionTools?.includes(approval.tool) === true
  const mayChange = agent?.capabilities.changedInput === true || isQuestion
  return { ...approval, mayChange, readsReasons: agent?.capabilities.denialReasons === true }
}

/** Shows entries until the interaction of a prompt has ended, or the user quits. */
async function watch(
  { api, session, after, view, raw }: PromptRun,
  ours: Ours,
  { interviewer, silence }: { readonly interviewer: Interviewer; readonly silence: SilenceWatch },
  signal: AbortSignal,
): Promise<Outcome | null> {
  for await (const entries of api.follow(session, after, { signal, raw })) {
    silence.update(entries)
    for (const entry of entries) {
      const { event } = entry
      if (event.type === 'interaction-started' && event.prompt === ours.prompt) {
        ours.interaction = event.interaction
        ours.agent = event.agent
      }
      await view.show(entry)
      if (event.type === 'interaction-ended' && event.interaction === ours.interaction) return event.outcome
      if (event.type === 'prompt-withdrawn' && event.prompt === ours.prompt) return null
    }
    // A question and the answer of a rule come together: handling only the first would show an approval that is already settled.
    for (const entry of entries) interviewer.handle(entry)
  }
  return null
}

/** Stops only our interaction: a prompt that is still queued is only cancelled. */
async function stop({ api, session }: PromptRun, { prompt, interaction }: Ours): Promise<void> {
  if (interaction === null)
    try {
      return await api.withdraw(session, prompt)
    } catch (error) {
      // It may have started meanwhile.
      if (!isDragomanError(error, 'unknown-prompt')) throw error
    }
  await api.interrupt(session)
}

async function deny({ shell }: PromptRun, { tool }: Approval): Promise<Answer> {
  shell.err.write(`Denied ${inertLine(tool)}: there is no terminal to ask for approval.\n`)
  return { approved: false, reason: 'There was no terminal to ask for approval.' }
}

async function give({ api, session, shell }: PromptRun, { id }: Approval, answer: Answer): Promise<void> {
  try {
    await api.answer({ type: 'answer', session, approval: id, ...answer })
  } catch (error) {
    // Another answer came first; the journal has it.
    if (!isDragomanError(error, 'approval-settled')) say(shell, error)
  }
}

const say = ({ err }: Shell, error: unknown) =>
  err.write(`${inertLine(error instanceof Error ? error.message : String(error))}\n`)
