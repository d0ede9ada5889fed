import { useEffect, useId, useState, type FormEvent, type ReactElement } from 'react'
import { UnreachableError } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { focusMessage } from '../composer/focus-message.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useOnReconnect } from '../ui/use-on-reconnect.ts'
import { AgentChoice } from '../agents/agent-choice.tsx'
import { closeNewSession, useNewSessionOpen } from './new-session-door.ts'
import styles from './new-session.module.css'
import { obstacle } from '../agents/readiness.ts'
import { useAgents, type Agents } from '../agents/use-agents.ts'
import { useFolders } from './use-folders.ts'

/** The dialog for a new session. Enter is enough: the default agent in the default folder. */
export function NewSession(): ReactElement {
  const isOpen = useNewSessionOpen()
  return (
    <Dialog open={isOpen} title="New session" onClose={closeNewSession}>
      <NewSessionForm />
    </Dialog>
  )
}

function NewSessionForm(): ReactElement {
  const [agent, choose] = useState<string | null>(null)
  const [folder, setFolder] = useState('')
  const { agents } = useAgents()
  const { isBusy, problem, start } = useStart(agents)
  const hindrance = obstacle(agents, agent)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const cwd = folder.trim()
    start({ ...(agent !== null && { agent }), ...(cwd !== '' && { cwd }) })
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <FolderField folder={folder} onChange={setFolder} />
      <AgentChoice legend="Agent" chosen={agent} onChoose={choose} />
      <div className={styles['actions']}>
        <p role="alert" className={styles['problem']}>
          {problem ?? hindrance}
        </p>
        <Button onClick={closeNewSession}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={isBusy || hindrance !== null}>
          {isBusy ? 'Starting…' : 'Start'}
        </Button>
      </div>
    </form>
  )
}

/** The folder to work in, one of those known from sessions or any other. */
function FolderField({
  folder,
  onChange,
}: {
  readonly folder: string
  readonly onChange: (folder: string) => void
}): ReactElement {
  const id = useId()
  const folders = useFolders()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>Folder</label>
      <input
        ref={firstFocus}
        id={id}
        list={`${id}-known`}
        value={folder}
        maxLength={4096}
        placeholder="The default folder"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-known`}>
        {folders.map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  )
}

const unlessUnreached = (failure: Error | null) => (failure instanceof UnreachableError ? null : failure)

/** Creates the session and opens it, or shows why it can't. */
function useStart(agents: Agents['agents']) {
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  // If the server responds again, or has listed its agents since, the error is outdated.
  useOnReconnect(() => setFailure(unlessUnreached))
  useEffect(() => setFailure(unlessUnreached), [agents])
  const start = (body: Parameters<typeof client.createSession>[0]) => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    client.createSession(body).then(
      ({ id }) => {
        closeNewSession()
        go({ page: 'session', session: id })
        focusMessage()
      },
      (error: Error) => {
        setBusy(false)
        setFailure(error)
      },
    )
  }
  return { isBusy, problem: failure?.message ?? null, start }
}

/** A ref for the element to focus when its dialog opens; React's `autoFocus` runs too early for dialogs. */
const firstFocus = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '')
