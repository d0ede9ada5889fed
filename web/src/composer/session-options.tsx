import type { ReactElement } from 'react'
import type { Json } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { OptionBar } from '../agents/option-bar.tsx'
import type { OptionValues } from '../agents/option-values.ts'
import { useKnownAgents } from '../agents/use-agents.ts'
import { toastError } from '../ui/toast.ts'
import { useLost } from '../ui/use-lost.ts'

/** The options of a session's agent, which can be changed between prompts. Nothing for an agent that declares none. */
export function SessionOptions({
  session,
  closed,
}: {
  readonly session: Session
  readonly closed: boolean
}): ReactElement | null {
  const client = useClient()
  const facts = useReadable(session.facts)
  const { running } = useReadable(session.status)
  const isLost = useLost(client) !== null
  const { agents } = useKnownAgents()
  const schema = agents?.find(({ name }) => name === facts?.agent)?.options ?? null
  if (facts === null || schema === null) return null
  const change = async (options: OptionValues) => {
    try {
      await client.call('changeSession', { params: { session: session.id }, body: { options } })
    } catch (error) {
      toastError(error)
      throw error
    }
  }
  return (
    <OptionBar
      key={facts.agent}
      schema={schema}
      values={valuesIn(facts.options)}
      model={facts.model}
      hindrance={hindranceOf({ closed, isLost, isRunning: running !== null })}
      onChange={change}
    />
  )
}

const none: OptionValues = {}

const valuesIn = (options: unknown): OptionValues =>
  typeof options === 'object' && options !== null && !Array.isArray(options)
    ? (options as Readonly<Record<string, Json>>)
    : none

/** Why options cannot be changed now; null when they can. */
function hindranceOf({
  closed,
  isLost,
  isRunning,
}: {
  readonly closed: boolean
  readonly isLost: boolean
  readonly isRunning: boolean
}): string | null {
  if (closed) return 'Restore this session to change its options.'
  if (isLost) return 'You can change options once the server is back.'
  return isRunning ? 'You can change options when the agent is done.' : null
}
