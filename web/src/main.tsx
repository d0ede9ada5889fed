import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { App } from './app.tsx'
import './ui/base.css'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no place for the app.')
createRoot(root).render(
  <StrictMode>
    <DragomanProvider client={createClient()}>
      <App />
    </DragomanProvider>
  </StrictMode>,
)
