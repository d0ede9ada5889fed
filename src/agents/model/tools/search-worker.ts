import { parentPort, workerData } from 'node:worker_threads'
import { searchFiles, type SearchTask } from './search-files.ts'

// An expression may take for ever; in a thread of its own it can be ended.
const found = await searchFiles(workerData as SearchTask)
parentPort?.postMessage(found)
