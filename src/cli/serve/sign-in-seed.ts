import type { SignInSeed } from '../../server/auth/sign-ins.ts'
import { textFile } from '../preferences.ts'

/** Stores in the data folder that browsers were signed out, so that a restart does not sign them in again. */
export const signInSeed = (folder: string): SignInSeed => textFile(folder, 'sign-in')
