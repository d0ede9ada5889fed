// First, so that styles of components override it.
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { App } from './app.tsx'
import { Commands } from './commands/commands.tsx'
import { withBrowserKey } from './sign-in/browser-key.ts'
import { NewVersion } from './worker/new-version.tsx'
import { registerWorker } from './worker/register.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <DragomanProvider client={createClient(withBrowserKey)}>
      <App />
      <Commands />
      <NewVersion />
    </DragomanProvider>
  </StrictMode>,
)
registerWorker()
