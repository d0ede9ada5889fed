import { useEffect, useState, type FormEvent, type ReactElement } from 'react'
import { UnreachableError } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { focusMessage } from '../composer/focus-message.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useOnReconnect } from '../ui/use-on-reconnect.ts'
import { OptionBar } from '../agents/option-bar.tsx'
import { afterChanges, type OptionValues } from '../agents/option-values.ts'
import { AgentChoice } from '../agents/agent-choice.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { closeNewSession, useNewSessionOpen } from './new-session-door.ts'
import styles from './new-session.module.css'
import { obstacle } from '../agents/readiness.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useAgents, type Agents } from '../agents/use-agents.ts'

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
  const { agents } = useAgents()
  const { isBusy, problem, start } = useStart(agents)
  const wish = useWish(agents)
  const { agent, listed, schema } = wish
  const hindrance = obstacle(agents, agent)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start(wish.body())
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <FolderPicker folder={wish.folder} onChange={wish.setFolder} />
      <AgentChoice legend="Agent" chosen={agent} onChoose={wish.choose} />
      <div className={styles['actions']}>
        {schema !== null && (
          <OptionBar
            key={listed?.name}
            schema={schema}
            values={wish.options}
            isNew
            hindrance={null}
            onChange={wish.change}
          />
        )}
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

const none: OptionValues = {}

/** What was chosen so far. */
function useWish(agents: Agents['agents']) {
  const [agent, setAgent] = useState<string | null>(null)
  const [folder, setFolder] = useState('')
  const [changed, setChanged] = useState<OptionValues | null>(null)
  const { settings } = useSettings()
  const listed = agents?.find(each => (agent === null ? each.default : each.name === agent))
  const options = changed ?? ((settings?.options[listed?.name ?? ''] ?? none) as OptionValues)
  const choose = (name: string) => {
    setAgent(name)
    setChanged(null)
  }
  const body = () => {
    const cwd = folder.trim()
    // Options belong to one agent, so that one is named with them.
    const name = agent ?? (changed === null ? undefined : listed?.name)
    return {
      ...(name !== undefined && { agent: name }),
      ...(cwd !== '' && { cwd }),
      // Without a change, the server takes those of the settings.
      ...(changed !== null && { options: changed }),
    }
  }
  const change = (changes: OptionValues) => setChanged(afterChanges(options, changes))
  return { agent, choose, folder, setFolder, options, change, listed, schema: listed?.options ?? null, body }
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
