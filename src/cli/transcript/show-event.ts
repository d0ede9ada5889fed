import type { Entry } from '../../protocol/entry.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { counted, durationText } from '../terminal/amounts.ts'
import { inertLine, quoted } from '../terminal/inert.ts'
import { fileText } from './file-text.ts'
import type { Scene } from './scene.ts'
import { inputSummary } from './summaries.ts'

type Shows = {
  readonly [Type in Event['type']]: (scene: Scene, event: EventOf<Type>, entry: Entry) => void
}

/** Shows an event without its chunks. */
export function showEvent(scene: Scene, entry: Entry): void {
  const { event } = entry
  if (!Object.hasOwn(shows, event.type)) return
  const show = shows[event.type] as (scene: Scene, event: Event, entry: Entry) => void
  show(scene, event, entry)
}

/** How much of an agent's log is kept, to show if it fails. */
const logLength = 2000
const nothing = () => {}
const aside = ({ page, style }: Scene, text: string) => page.lines('aside', 0, style.dim(text))

const shows: Shows = {
  'session-created': (scene, { agent, cwd }, { session }) =>
    aside(scene, `${inertLine(agent)} in ${inertLine(cwd)} · session ${session}`),
  'session-renamed': (scene, { title }) => aside(scene, `renamed to “${inertLine(title)}”`),
  'session-archived': scene => aside(scene, 'archived'),
  'session-restored': scene => aside(scene, 'restored'),
  'session-pinned': scene => aside(scene, 'pinned'),
  'session-unpinned': scene => aside(scene, 'unpinned'),
  'session-deleted': scene => aside(scene, 'deleted'),
  'session-undeleted': scene => aside(scene, 'undeleted'),
  'session-branched': (scene, { from, message }) =>
    aside(scene, `branched from session ${inertLine(from)} at message ${inertLine(message)}`),
  'interactions-merged': (scene, { from, interactions }) =>
    aside(scene, `${counted(interactions.length, 'turn')} merged from session ${inertLine(from)}`),
  'agent-assigned': (scene, { agent, options }) =>
    aside(scene, `agent ${options === undefined ? 'changed to' : 'with other options:'} ${inertLine(agent)}`),
  'prompt-queued': (scene, { parts }) => aside(scene, `queued: ${inertLine(partsText(parts))}`),
  'prompt-withdrawn': scene => aside(scene, 'queued prompt cancelled'),
  'interaction-started': showStart,
  // The transcript shows this, because it knows the duration.
  'interaction-ended': nothing,
  'interrupt-requested': ({ page, style }) => page.lines('work', 0, style.yellow('■ stop requested')),
  'place-awaited': (scene, { places }) =>
    aside(scene, `waiting for a free slot: ${counted(places, 'agent')} running, the most allowed`),
  'agent-connected': nothing,
  'conversation-handed-over': showHandover,
  'agent-spoke': nothing,
  'host-spoke': nothing,
  'agent-logged': (scene, { text }) => {
    scene.log = (scene.log + text).slice(-logLength)
  },
  'agent-exited': showExit,
  'approval-answered': showAnswer,
  'approval-lapsed': (scene, { approval, reason }) =>
    showSettled(scene, approval, scene.style.dim(`expired · ${inertLine(reason)}`)),
  'rule-made': (scene, { tool, input, command }) =>
    aside(
      scene,
      `always allowed in this session: ${inertLine(tool)} with ${inputSummary(input ?? command ?? null)}`,
    ),
  'rule-revoked': scene => aside(scene, 'rule revoked'),
  'rules-dropped': (scene, { reason }) => aside(scene, inertLine(reason)),
  'validity-changed': (scene, { target, to, reason }) =>
    aside(scene, `turn ${target.interaction} is now ${to} · ${inertLine(reason)}`),
  'manipulation-applied': (scene, { parts, to, reason, rendering }) =>
    aside(
      scene,
      `${counted(parts.length, 'part')} ${to ?? 'shortened'}${rendering.how === 'keep' ? ', still sent' : ''} · ${inertLine(reason)}`,
    ),
  'manipulation-rejected': (scene, { strategy, why }) =>
    aside(scene, `context change refused (${inertLine(strategy)}) · ${inertLine(why)}`),
  'manipulation-rolled-back': (scene, { manipulations, reason }) =>
    aside(scene, `${counted(manipulations.length, 'change')} undone · ${inertLine(reason)}`),
  // The manipulations show what it removed.
  'context-compiled': nothing,
  'saving-delayed': (scene, { milliseconds, code }) =>
    aside(scene, `saving was delayed by ${durationText(milliseconds)} (${inertLine(code)})`),
}

function showStart(
  scene: Scene,
  { parts, trigger, parent }: EventOf<'interaction-started'>,
  { at }: Entry,
): void {
  scene.startedAt = at
  scene.failure = null
  scene.log = ''
  if (parent === null) aside(scene, '↶ started over: replaces everything above')
  else if (parent !== undefined) aside(scene, `↶ replaces everything after message ${inertLine(parent)}`)
  const text = parts.length === 0 ? `(started by ${trigger})` : partsText(parts)
  scene.page.lines('prompt', 0, scene.style.bold(quoted(text)))
}

/** Not shown if the agent continues its own session. */
function showHandover(scene: Scene, event: EventOf<'conversation-handed-over'>): void {
  const { agent, how, transcript, lost } = event
  if (how === 'forked') aside(scene, `${inertLine(agent)} continues with a copy of its session`)
  if (transcript === null) return
  const { messages, omitted } = transcript
  const rest = omitted === 0 ? '' : `; ${omitted} earlier left out`
  const what = lost === undefined ? '' : 'lost its session and '
  aside(
    scene,
    `${inertLine(agent)} ${what}received the conversation so far: ${counted(messages, 'message')}${rest}`,
  )
}

const partsText = (parts: readonly PromptPart[]) =>
  parts.map(part => (part.type === 'text' ? part.text : fileText(part))).join('\n')

/** An exit during an interaction is shown with its end, and a signal usually came from us. */
function showExit(scene: Scene, { code }: EventOf<'agent-exited'>): void {
  if (scene.startedAt === null && code !== null && code !== 0)
    aside(scene, `the agent exited with code ${code}`)
}

function showAnswer(
  scene: Scene,
  { approval, approved, always, input, reason, by }: EventOf<'approval-answered'>,
): void {
  const { green, red } = scene.style
  const answered = approved && scene.asked.get(approval)?.isQuestion === true
  const how = [
    answered
      ? `${green('answered')} ${inputSummary(input ?? null)}`
      : approved
        ? green('allowed')
        : red('denied'),
    ...(always ? ['always'] : []),
    ...(by === 'rule' ? ['by a rule'] : []),
    ...(input === undefined || answered ? [] : ['with edited input']),
    ...(reason === null ? [] : [`· ${inertLine(reason)}`]),
  ]
  showSettled(scene, approval, how.join(' '))
}

function showSettled({ page, asked }: Scene, approval: string, how: string): void {
  const tool = asked.get(approval)?.tool ?? inertLine(approval)
  asked.delete(approval)
  page.lines('work', 0, `? ${tool}: ${how}`)
}
