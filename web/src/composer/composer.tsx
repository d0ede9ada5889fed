import { useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { browserStorage } from '../drafts/browser-storage.ts'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { inertString } from '../safety/inert-text.ts'
import { toastError } from '../ui/toast.ts'
import { usePart } from '../ui/use-part.ts'
import { AttachmentList } from './attachment-list.tsx'
import { attachmentsIn, promptParts, textIn, tooLarge } from './attachment.ts'
import { ComposerBar } from './composer-bar.tsx'
import { ComposerNotes } from './composer-notes.tsx'
import styles from './composer.module.css'
import { createPromptHistory, promptsOf } from './history.ts'
import { MessageField } from './message-field.tsx'
import { newId } from './new-id.ts'
import { putBack, takesBack } from './put-back.ts'
import { SessionOptions } from './session-options.tsx'
import { closedBecause } from './situation.ts'
import { useDraft, type UsedDraft } from './use-draft.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useStop, type Stopping } from './use-stop.ts'
import { WaitingList } from './waiting-list.tsx'
import { waitingRows } from './waiting.ts'

const history = createPromptHistory(browserStorage())

/** The message box of a session, with its queued prompts. */
export const Composer = ({ session }: { readonly session: Session }): ReactElement => (
  <OpenComposer key={session.id} session={session} />
)

function OpenComposer({ session }: { readonly session: Session }): ReactElement {
  const phase = usePart(session.state, state => state.phase)
  const facts = useReadable(session.facts)
  const closed = closedBecause(phase, facts)
  const agents = useKnownAgents()
  const agentName = facts === null ? 'the agent' : inertString(agentTitle(agents, facts.agent))
  const draft = useDraft(session.id)
  const stopping = useStop(session)
  const field = useRef<HTMLTextAreaElement>(null)
  const [refusals, refuse] = useState<readonly string[]>([])
  const { attach } = draft
  const take = useCallback((files: readonly File[]) => void attach(files).then(refuse), [attach])
  const isOver = useFileDrop(closed === null ? take : null)
  usePutBack(session.id, draft, field)
  const send = useSend(session, draft, closed !== null, refuse)
  useComposerCommands(field, stopping)
  return (
    <div className={styles['composer']}>
      <Waiting session={session} />
      <ComposerNotes session={session} closed={closed} draft={draft} refusals={refusals} />
      <div className={styles['box']}>
        <AttachmentList attachments={draft.attachments} onRemove={draft.detach} />
        <MessageField
          ref={field}
          text={draft.text}
          placeholder={closed?.sentence ?? `Ask ${agentName} to…`}
          disabled={closed !== null}
          prompts={() => promptsOf(ownPrompts(session), history.list())}
          onText={draft.setText}
          onFiles={take}
          onSend={send}
        />
        <ComposerBar
          stopping={stopping}
          disabled={closed !== null}
          canSend={promptParts(draft.text, draft.attachments).length > 0}
          options={<SessionOptions session={session} closed={closed !== null} />}
          onFiles={take}
          onSend={() => {
            send()
            field.current?.focus()
          }}
        />
      </div>
      {isOver && <DropMark />}
    </div>
  )
}

const DropMark = (): ReactElement => (
  <div className={styles['drop']} aria-hidden>
    <span>Drop files to attach them</span>
  </div>
)

function useComposerCommands(field: RefObject<HTMLTextAreaElement | null>, stopping: Stopping): void {
  useCommands([
    { ...keyed('write'), run: () => field.current?.focus() },
    {
      ...keyed('stop'),
      whileTyping: true,
      when: () => stopping.isRunning && !stopping.isStopping && stopping.hindrance === null,
      run: stopping.stop,
    },
  ])
}

/** Hands the draft in, unless there is nothing in it or too much. */
function useSend(
  session: Session,
  { text, attachments, clear }: UsedDraft,
  closed: boolean,
  refuse: (refusals: readonly string[]) => void,
): () => void {
  return () => {
    const parts = promptParts(text, attachments)
    if (closed || parts.length === 0) return
    const refusal = tooLarge(text, attachments)
    refuse(refusal === null ? [] : [refusal])
    if (refusal !== null) return
    session.prompt(parts)
    history.add(text)
    clear()
  }
}

/** Puts prompts back into the field when the user presses "Edit". */
function usePutBack(
  session: string,
  { putBack: put }: UsedDraft,
  field: RefObject<HTMLTextAreaElement | null>,
): void {
  useEffect(() =>
    takesBack(session, parts => {
      put(textIn(parts), attachmentsIn(parts, newId))
      field.current?.focus()
    }),
  )
}

const ownPrompts = (session: Session): readonly string[] =>
  session.messages
    .get()
    .flatMap(({ role, parts }) =>
      role === 'user' ? parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n\n') : [],
    )

/** Queued prompts; editing one moves it back into the field. */
function Waiting({ session }: { readonly session: Session }): ReactElement {
  const [letGo, go] = useLetGo(session)
  return (
    <WaitingList
      rows={waitingRows(useReadable(session.queue), letGo)}
      onEdit={({ id, parts }) => void session.withdraw(id).then(() => putBack(session.id, parts), toastError)}
      onRemove={({ id }) => void session.withdraw(id).catch(toastError)}
      onContinue={go}
    />
  )
}

const none: ReadonlySet<string> = new Set()

/** Releases prompts on hold, and remembers which ones until the server confirms it. */
function useLetGo(session: Session): readonly [letGo: ReadonlySet<string>, go: () => void] {
  const queue = useReadable(session.queue)
  const isLive = usePart(session.state, ({ phase }) => phase === 'live')
  const isArchived = usePart(session.facts, facts => facts?.archived === true)
  const [letGo, set] = useState(none)
  // After a reconnect it may be another server process, and archiving holds the prompts again.
  const isKnown = isLive && !isArchived
  useEffect(() => {
    const held = new Set<string>(queue.flatMap(({ prompt, held: isHeld }) => (isHeld ? prompt : [])))
    set(before => (isKnown ? new Set([...before].filter(prompt => held.has(prompt))) : none))
  }, [queue, isKnown])
  const go = () => {
    set(new Set(queue.map(({ prompt }) => prompt)))
    session.continue().catch((error: unknown) => {
      set(none)
      toastError(error)
    })
  }
  return [letGo, go]
}
