import type { PageData } from '../page-data.ts';
import { startExplorer } from './explorer.ts';
import { startFolds } from './folds.ts';

const data = document.getElementById('plan-data');
if (data !== null) startExplorer(JSON.parse(data.textContent ?? '') as PageData);
startFolds();
