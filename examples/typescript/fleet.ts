import { defineFleet, host } from 'rampart';
import sites from './sites.json';

export default defineFleet({
  hosts: sites.flatMap(({ code, group, ids }) =>
    ids.map((id, index) => host({ id, name: `${code}-PC-${index + 1}`, group })),
  ),
});
