import { parentPort, workerData } from 'node:worker_threads';
import { answerPglite } from './answer-pglite.ts';
import { openPglite } from './open-pglite.ts';

/** The thread that computes for the embedded database. Its data is the folder of the database; without one it is in memory. */
if (parentPort !== null) await answerPglite(parentPort, () => openPglite(workerData));
