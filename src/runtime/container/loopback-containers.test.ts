import { describeAdoption } from './adopt.contract.ts';
import { describeContainers } from './containers.contract.ts';

describeContainers('loopback');
describeAdoption('loopback');
