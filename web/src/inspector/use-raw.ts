import { useState } from 'react'
import { useClient } from 'dragoman/react'
import { saveFile } from '../ui/save-file.ts'
import { toastError } from '../ui/toast.ts'

/** A native line from the server: loaded whole on demand, or downloaded as a file. */
export interface UsedRaw {
  /** Null until it was loaded. */
  readonly whole: string | null
  readonly isLoading: boolean
  readonly load: () => void
  readonly download: () => void
}

/** Gets at the whole of a native line, byte for byte. */
export function useRaw(session: string, seq: number): UsedRaw {
  const client = useClient()
  const [whole, setWhole] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const request = () =>
    client.request('GET /api/sessions/:session/entries/:seq/raw', { params: { session, seq: String(seq) } })
  const load = async () => {
    setLoading(true)
    await request()
      .then(response => response.text())
      .then(setWhole, toastError)
    setLoading(false)
  }
  const download = () =>
    request()
      .then(response => response.blob())
      .then(blob => saveFile(blob, `${session}-${seq}.raw`))
      .catch(toastError)
  return { whole, isLoading, load: () => void load(), download: () => void download() }
}
