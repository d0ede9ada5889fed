import { useState } from 'react'
import type { Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { cacheOf, useFetched } from '../ui/use-fetched.ts'

const load = (client: Client) => client.call('GET /api/settings')

/** The settings of the server. */
export type ServerSettings = Awaited<ReturnType<typeof load>>

/** Some settings to change; null returns to the default. */
export type SettingsChange = NonNullable<Parameters<typeof clientOf.call<'PATCH /api/settings'>>[1]>['body']

declare const clientOf: Client

/** The settings as far as loaded, and how they are changed. */
export function useSettings() {
  const client = useClient()
  const { data, problem, again } = useFetched(['settings'], load)
  const [refusal, setRefusal] = useState<string | null>(null)
  const change = async (body: SettingsChange) => {
    setRefusal(null)
    try {
      const now = await client.call('PATCH /api/settings', { body })
      cacheOf(client).setQueryData(['settings'], now)
      // Another agent may be the default now.
      await cacheOf(client).invalidateQueries({ queryKey: ['agents'] })
    } catch (error) {
      setRefusal((error as Error).message)
      throw error
    }
  }
  return { settings: data, problem, again, refusal, change }
}
