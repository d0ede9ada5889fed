import {
  lazy,
  memo,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { DataParts, ToolPart } from 'dragoman'
import type { ListedApproval, Session } from 'dragoman/client'
import { textOfOutput, type CallPlace } from 'dragoman/client/work-log'
import { withoutAnsi } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { Loading } from '../ui/empty.tsx'
import { CardLine } from './card-line.tsx'
import cardPreviewStyles from './card-preview.module.css'
import { CardTime } from './card-time.tsx'
import { cardOf, type Card } from './card.ts'
import { shownCall, type ShownCall } from './sections/shown-call.ts'
import styles from './tool-card.module.css'
import { useCallPlace } from './use-call-facts.ts'
import { withoutExitLine } from './exit-line.ts'
import { tailOf, headOf } from './shown-part.ts'

const CardBody = lazy(async () => ({ default: (await import('./card-body.tsx')).CardBody }))

/** The props of a tool card. */
export interface ToolCardProps {
  readonly part: ToolPart
  /** Null in a frozen conversation; `place` then names the agent and folder. */
  readonly session: Session | null
  readonly thread?: string | null
  /** Whether the agent may still be running the call. */
  readonly live: boolean
  readonly place?: CallPlace
  /** The approval request for this call and its answer, if any. */
  readonly approval?: ListedApproval | undefined
  /** The `data-shortened` part for the output, if there is one. */
  readonly shortened?: DataParts['shortened'] | null | undefined
  /** The text of the card's line where it differs from the work log. */
  readonly sentence?: string | undefined
  /** The name of the task that the call refers to by number. */
  readonly task?: string | undefined
  /** Opens the agent's native lines for this call. */
  readonly onInspect?: ((toolCall: string) => void) | undefined
  /** Whether something was found in the call: it opens then. */
  readonly isFound?: boolean
  /** Content under the line, open or closed: an approval request, or a subagent's messages. */
  readonly children?: ReactNode
}

/** A tool call: what happened in one line, and on demand all of it. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps): ReactElement {
  const { part, session, thread = null, live, place: given, approval, shortened, onInspect, children } = props
  const { sentence, task, isFound = false } = props
  const id = useId()
  const { agent, cwd } = useCallPlace(session, given)
  const [open, toggle] = useOpen(`${session?.id ?? ''} ${thread ?? ''} ${part.toolCallId}`, isFound)
  const card = useMemo(() => cardOf(part, { agent, cwd }, live, task), [part, agent, cwd, live, task])
  const preview = useMemo(() => previewOf(shownCall(part, { agent, cwd }), card), [part, agent, cwd, card])
  const inspect = onInspect && (() => onInspect(part.toolCallId))
  const time = session === null || !isOver(card) ? null : <CardTime session={session} part={part} />
  return (
    <div className={classNames(styles['card'], styles[card.standing], open && styles['open'])}>
      <CardLine
        card={sentence === undefined ? card : { ...card, sentence, folder: null }}
        time={time}
        open={open}
        controls={id}
        onToggle={toggle}
      />
      {card.standing === 'denied' && <Denial part={part} approval={approval} />}
      {!open && preview !== null && <CardPreview {...preview} />}
      {children}
      {open && (
        <div id={id}>
          <Suspense fallback={<Loading what="the call" />}>
            <CardBody
              part={part}
              place={{ agent, cwd }}
              card={card}
              session={session}
              shortened={shortened}
              onInspect={inspect}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
})

const isOver = ({ standing }: Card) => standing === 'done' || standing === 'failed' || standing === 'partial'

/** What a closed card shows under its line: an error, or the end of the output. */
function CardPreview({ kind, text }: Preview): ReactElement {
  const plain = useMemo(() => withProgress(withoutAnsi(text)), [text])
  return (
    <pre className={cardPreviewStyles[kind]}>
      <InertText text={plain} />
    </pre>
  )
}

/** The final text of a line that was overwritten, such as a progress bar. */
const withProgress = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r(?=[^\n])/gm, '')
    .replaceAll('\r', '')

const who = {
  person: 'You denied this',
  rule: 'A rule denied this',
  timeout: 'Expired without an answer',
  server: 'Dragoman denied this',
} as const

/** Who denied a call, and why. */
function Denial({
  part,
  approval,
}: {
  readonly part: ToolPart
  readonly approval: ListedApproval | undefined
}): ReactElement {
  const request = 'approval' in part ? part.approval : undefined
  const by = approval?.by ?? null
  const reason = approval?.reason ?? request?.reason ?? ('errorText' in part ? part.errorText : '')
  return (
    <p className={cardPreviewStyles['denial']}>
      {by === null ? 'This was denied' : who[by]}
      {reason === '' ? '.' : ': '}
      <InertText text={reason} />
    </p>
  )
}

/** Cards the user opened or closed: a virtual list forgets rows that scroll out of view. */
const known = new Map<string, boolean>()

/** Whether a card is open; it stays so when it scrolls out of view and back. What was found in it opens it. */
function useOpen(card: string, isFound: boolean): readonly [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(known.get(card) ?? false)
  useEffect(() => {
    if (!isFound) return
    known.set(card, true)
    setOpen(true)
  }, [card, isFound])
  const toggle = () => {
    known.set(card, !open)
    setOpen(!open)
  }
  return [open, toggle]
}

/** Content under the line of a closed card that should be visible at once. */
interface Preview {
  readonly kind: 'error' | 'terminal'
  readonly text: string
}

const few = { lines: 6, characters: 600 }

/** The end of a command's output or error, or the beginning of another error; null where there is nothing. */
export function previewOf(call: ShownCall, { family, standing, exit }: Card): Preview | null {
  const printed = textOfOutput(call.output).trimEnd()
  const isPrinting = family === 'run' || family === 'watch'
  if (standing === 'running') return isPrinting ? terminal(printed) : null
  if (standing !== 'failed') return null
  const error = call.error?.replaceAll(/<\/?tool_use_error>/g, '').trim()
  if (exit !== null && isPrinting) return terminal(withoutExitLine(error ?? printed))
  const words = error ?? printed
  if (words === '') return null
  const { text, left } = headOf(words, few)
  return { kind: 'error', text: left.characters === 0 ? text : `${text.trimEnd()} …` }
}

const terminal = (text: string): Preview | null =>
  text === '' ? null : { kind: 'terminal', text: tailOf(text, few).text }
