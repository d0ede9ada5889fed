import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const { path } = workerData as { readonly path: string }
const file = openSync(path, 'a')

parentPort?.on('message', (text: string) => {
  writeSync(file, text)
  fdatasyncSync(file)
  parentPort?.postMessage(null)
})
