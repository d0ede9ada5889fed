import { createContext, createElement, useContext, type ReactElement, type ReactNode } from 'react'
import type { Client } from '../client/create-client.ts'

const ClientContext = createContext<Client | null>(null)

/** Gives a client to the components inside. */
export const DragomanProvider = ({
  client,
  children,
}: {
  readonly client: Client
  readonly children?: ReactNode
}): ReactElement => createElement(ClientContext.Provider, { value: client }, children)

/** The client of the nearest provider. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (client !== null) return client
  throw new Error('There is no client here. Put a <DragomanProvider client={…}> around this component.')
}
