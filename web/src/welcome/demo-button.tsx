import { useState, type ReactElement } from 'react'
import { Play } from 'lucide-react'
import { useClient } from 'dragoman/react'
import { Button, type ButtonKind } from '../ui/button.tsx'
import { toastError } from '../ui/toast.ts'
import { startDemo } from './start-demo.ts'

/** Starts the demo, and the tour in it. */
export function DemoButton({ kind = 'plain' }: { readonly kind?: ButtonKind }): ReactElement {
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    startDemo(client)
      .catch(toastError)
      .finally(() => setBusy(false))
  }
  return (
    <Button kind={kind} disabled={isBusy} onClick={start}>
      <Play size={16} aria-hidden />
      Start the demo
    </Button>
  )
}
