// Generated from openapi/ by `make generate`. Not edited by hand.
// @ts-nocheck
import type { ErrorObject } from 'ajv';
import module0 from 'ajv/dist/runtime/ucs2length.js';
import module1 from 'ajv-formats/dist/formats.js';

/** True if the value matches the schema; otherwise `errors` has the violations, until the next call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const check_markNotificationsRead = validate52;
const schema19 = {"$id":"check_markNotificationsRead","$ref":"document#/components/schemas/NotificationSelection"};
const schema21 = {"type":"object","additionalProperties":false,"properties":{"notificationId":{"type":"string","minLength":1},"notificationIds":{"$ref":"document#/components/schemas/NotificationIds"},"before":{"type":"string","format":"date-time"}}};
const func1 = module0.default;
const schema22 = {"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","minLength":1,"maxLength":200}};

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 100){
validate55.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data.length < 1){
validate55.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate55.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate55.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const formats0 = module1.fullFormats["date-time"];

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "notificationId") || (key0 === "notificationIds")) || (key0 === "before"))){
validate54.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.notificationId !== undefined){
let data0 = data.notificationId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate54.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.notificationIds !== undefined){
const _errs4 = errors;
if(!(validate55(data.notificationIds, {instancePath:instancePath+"/notificationIds",parentData:data,parentDataProperty:"notificationIds",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.before !== undefined){
let data2 = data.before;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data2 === "string"){
if(!(formats0.validate(data2))){
validate54.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/before",schemaPath:"#/properties/before/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_markNotificationsRead" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate54(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_markNotificationsInteracted = validate58;
const schema23 = {"$id":"check_markNotificationsInteracted","$ref":"document#/components/schemas/NotificationNames"};
const schema24 = {"type":"object","additionalProperties":false,"properties":{"notificationId":{"type":"string","minLength":1},"notificationIds":{"$ref":"document#/components/schemas/NotificationIds"}}};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "notificationId") || (key0 === "notificationIds"))){
validate59.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.notificationId !== undefined){
let data0 = data.notificationId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate59.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.notificationIds !== undefined){
const _errs4 = errors;
if(!(validate55(data.notificationIds, {instancePath:instancePath+"/notificationIds",parentData:data,parentDataProperty:"notificationIds",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_markNotificationsInteracted" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate59(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_snoozeNotifications = validate62;
const schema25 = {"$id":"check_snoozeNotifications","$ref":"document#/components/schemas/NotificationSnooze"};
const schema26 = {"type":"object","additionalProperties":false,"required":["until"],"properties":{"notificationId":{"type":"string","minLength":1},"notificationIds":{"$ref":"document#/components/schemas/NotificationIds"},"until":{"type":"string","format":"date-time"}}};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.until === undefined) && (missing0 = "until")){
validate63.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "notificationId") || (key0 === "notificationIds")) || (key0 === "until"))){
validate63.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.notificationId !== undefined){
let data0 = data.notificationId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate63.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate63.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.notificationIds !== undefined){
const _errs4 = errors;
if(!(validate55(data.notificationIds, {instancePath:instancePath+"/notificationIds",parentData:data,parentDataProperty:"notificationIds",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.until !== undefined){
let data2 = data.until;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data2 === "string"){
if(!(formats0.validate(data2))){
validate63.errors = [{instancePath:instancePath+"/until",schemaPath:"#/properties/until/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate63.errors = [{instancePath:instancePath+"/until",schemaPath:"#/properties/until/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_snoozeNotifications" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate63(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_replaceNotificationPreferences = validate66;
const schema27 = {"$id":"check_replaceNotificationPreferences","$ref":"document#/components/schemas/NotificationPreferences"};
const schema28 = {"type":"object","additionalProperties":false,"required":["categories"],"properties":{"categories":{"type":"object","maxProperties":200,"propertyNames":{"type":"string","minLength":1,"maxLength":100},"additionalProperties":{"$ref":"document#/components/schemas/CategoryPreference"}}}};
const schema29 = {"type":"object","additionalProperties":false,"required":["inApp"],"properties":{"inApp":{"type":"boolean"}}};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.inApp === undefined) && (missing0 = "inApp")){
validate68.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "inApp")){
validate68.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.inApp !== undefined){
if(typeof data.inApp !== "boolean"){
validate68.errors = [{instancePath:instancePath+"/inApp",schemaPath:"#/properties/inApp/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
}
}
else {
validate68.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.categories === undefined) && (missing0 = "categories")){
validate67.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "categories")){
validate67.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.categories !== undefined){
let data0 = data.categories;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length > 200){
validate67.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/maxProperties",keyword:"maxProperties",params:{limit: 200},message:"must NOT have more than 200 properties"}];
return false;
}
else {
for(const key1 in data0){
const _errs4 = errors;
if(errors === _errs4){
if(typeof key1 === "string"){
if(func1(key1) > 100){
const err0 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters",propertyName:key1};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(func1(key1) < 1){
const err1 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key1};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
const err3 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate67.errors = vErrors;
return false;
break;
}
}
if(valid1){
for(const key2 in data0){
const _errs7 = errors;
if(!(validate68(data0[key2], {instancePath:instancePath+"/categories/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate67.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
}
}
}
}
else {
validate67.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_replaceNotificationPreferences" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate67(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_setQuietHours = validate71;
const schema30 = {"$id":"check_setQuietHours","$ref":"document#/components/schemas/QuietHoursRequest"};
const schema31 = {"type":"object","additionalProperties":false,"required":["timeZone","starts","ends"],"properties":{"timeZone":{"type":"string","minLength":1,"maxLength":100},"starts":{"$ref":"document#/components/schemas/TimeOfDay"},"ends":{"$ref":"document#/components/schemas/TimeOfDay"}}};
const schema32 = {"type":"string","minLength":5,"maxLength":5,"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"};
const pattern3 = new RegExp("^([01][0-9]|2[0-3]):[0-5][0-9]$", "u");

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 5){
validate73.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 5},message:"must NOT have more than 5 characters"}];
return false;
}
else {
if(func1(data) < 5){
validate73.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 5},message:"must NOT have fewer than 5 characters"}];
return false;
}
else {
if(!pattern3.test(data)){
validate73.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"},message:"must match pattern \""+"^([01][0-9]|2[0-3]):[0-5][0-9]$"+"\""}];
return false;
}
}
}
}
else {
validate73.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate72.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.timeZone === undefined) && (missing0 = "timeZone")) || ((data.starts === undefined) && (missing0 = "starts"))) || ((data.ends === undefined) && (missing0 = "ends"))){
validate72.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "timeZone") || (key0 === "starts")) || (key0 === "ends"))){
validate72.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.timeZone !== undefined){
let data0 = data.timeZone;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 100){
validate72.errors = [{instancePath:instancePath+"/timeZone",schemaPath:"#/properties/timeZone/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate72.errors = [{instancePath:instancePath+"/timeZone",schemaPath:"#/properties/timeZone/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate72.errors = [{instancePath:instancePath+"/timeZone",schemaPath:"#/properties/timeZone/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.starts !== undefined){
const _errs4 = errors;
if(!(validate73(data.starts, {instancePath:instancePath+"/starts",parentData:data,parentDataProperty:"starts",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ends !== undefined){
const _errs5 = errors;
if(!(validate73(data.ends, {instancePath:instancePath+"/ends",parentData:data,parentDataProperty:"ends",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate72.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate72.errors = vErrors;
return errors === 0;
}
validate72.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_setQuietHours" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate72(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_replaceNotificationSettings = validate77;
const schema33 = {"$id":"check_replaceNotificationSettings","$ref":"document#/components/schemas/NotificationSettings"};
const schema34 = {"type":"object","additionalProperties":false,"required":["retentionDays"],"properties":{"retentionDays":{"type":["integer","null"],"minimum":1,"maximum":3650}}};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.retentionDays === undefined) && (missing0 = "retentionDays")){
validate78.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "retentionDays")){
validate78.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.retentionDays !== undefined){
let data0 = data.retentionDays;
const _errs2 = errors;
if((!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))) && (data0 !== null)){
validate78.errors = [{instancePath:instancePath+"/retentionDays",schemaPath:"#/properties/retentionDays/type",keyword:"type",params:{type: schema34.properties.retentionDays.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 3650 || isNaN(data0)){
validate78.errors = [{instancePath:instancePath+"/retentionDays",schemaPath:"#/properties/retentionDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650},message:"must be <= 3650"}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate78.errors = [{instancePath:instancePath+"/retentionDays",schemaPath:"#/properties/retentionDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
}
}
}
}
else {
validate78.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_replaceNotificationSettings" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate78(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors);
errors = vErrors.length;
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_updateMessage = validate80;
const schema35 = {"$id":"check_updateMessage","$ref":"document#/components/schemas/MessageChange"};
const schema36 = {"type":"object","additionalProperties":false,"minProperties":1,"properties":{"title":{"type":"string","minLength":1,"maxLength":200,"pattern":"\\S"},"body":{"type":["string","null"],"maxLength":4000},"severity":{"$ref":"document#/components/schemas/NotificationSeverity"},"data":{"type":"object","additionalProperties":true},"actor":{"anyOf":[{"unevaluatedProperties":false,"allOf":[{"$ref":"document#/components/schemas/NotificationActor"}]},{"type":"null"}]},"actionUrl":{"type":["string","null"],"minLength":1,"maxLength":2000},"expiresAt":{"type":["string","null"],"format":"date-time"}}};
const pattern4 = new RegExp("\\S", "u");
const schema37 = {"type":"string","enum":["info","success","warning","critical"]};

function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate82.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate82.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "info") || (data === "success")) || (data === "warning")) || (data === "critical"))){
validate82.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema37.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate82.errors = vErrors;
return errors === 0;
}
validate82.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema38 = {"type":"object","required":["type","id","name"],"properties":{"type":{"type":"string","minLength":1,"maxLength":100},"id":{"type":"string","minLength":1,"maxLength":200},"name":{"type":["string","null"],"maxLength":200}}};

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate84.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.id === undefined) && (missing0 = "id"))) || ((data.name === undefined) && (missing0 = "name"))){
validate84.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
let data0 = data.type;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 100){
validate84.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate84.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate84.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate84.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate84.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate84.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate84.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema38.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(typeof data2 === "string"){
if(func1(data2) > 200){
validate84.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate84.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate84.errors = vErrors;
return errors === 0;
}
validate84.evaluated = {"props":{"type":true,"id":true,"name":true},"dynamicProps":false,"dynamicItems":false};

function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate81.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
validate81.errors = [{instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "title") || (key0 === "body")) || (key0 === "severity")) || (key0 === "data")) || (key0 === "actor")) || (key0 === "actionUrl")) || (key0 === "expiresAt"))){
validate81.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.title !== undefined){
let data0 = data.title;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate81.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate81.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data0)){
validate81.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/pattern",keyword:"pattern",params:{pattern: "\\S"},message:"must match pattern \""+"\\S"+"\""}];
return false;
}
}
}
}
else {
validate81.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.body !== undefined){
let data1 = data.body;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate81.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: schema36.properties.body.type},message:"must be string,null"}];
return false;
}
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 4000){
validate81.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.severity !== undefined){
const _errs6 = errors;
if(!(validate82(data.severity, {instancePath:instancePath+"/severity",parentData:data,parentDataProperty:"severity",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate82.errors : vErrors.concat(validate82.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data3 = data.data;
const _errs7 = errors;
if(errors === _errs7){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
validate81.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actor !== undefined){
let data4 = data.actor;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate84(data4, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
if(errors === _errs12){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key1 in data4){
if(((key1 !== "type") && (key1 !== "id")) && (key1 !== "name")){
const err0 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf/0/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key1},message:"must NOT have unevaluated properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
break;
}
}
}
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs15 = errors;
if(data4 !== null){
const err1 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs15 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate81.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actionUrl !== undefined){
let data5 = data.actionUrl;
const _errs17 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate81.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/type",keyword:"type",params:{type: schema36.properties.actionUrl.type},message:"must be string,null"}];
return false;
}
if(errors === _errs17){
if(typeof data5 === "string"){
if(func1(data5) > 2000){
validate81.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(func1(data5) < 1){
validate81.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data6 = data.expiresAt;
const _errs19 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate81.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: schema36.properties.expiresAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs19){
if(errors === _errs19){
if(typeof data6 === "string"){
if(!(formats0.validate(data6))){
validate81.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate81.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate81.errors = vErrors;
return errors === 0;
}
validate81.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate80(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_updateMessage" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate80.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate81(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
validate80.errors = vErrors;
return errors === 0;
}
validate80.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createNotifications = validate87;
const schema39 = {"$id":"check_createNotifications","$ref":"document#/components/schemas/NotificationRequest"};
const schema40 = {"oneOf":[{"$ref":"document#/components/schemas/UserNotificationRequest"},{"$ref":"document#/components/schemas/TenantNotificationRequest"},{"$ref":"document#/components/schemas/TopicNotificationRequest"}]};
const schema41 = {"unevaluatedProperties":false,"allOf":[{"$ref":"document#/components/schemas/NotificationContent"},{"type":"object","required":["userIds"],"properties":{"audience":{"type":"string","const":"user"},"userIds":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"string","minLength":1,"maxLength":255}},"digest":{"$ref":"document#/components/schemas/DigestWindow"}}}],"properties":{"notificationId":false,"userId":false,"topic":false,"createdAt":false,"seenAt":false,"readAt":false,"interactedAt":false,"archivedAt":false,"snoozedUntil":false,"isRead":false}};
const schema42 = {"type":"object","required":["type","title"],"properties":{"tenantId":{"type":"string","minLength":1,"maxLength":200},"type":{"type":"string","maxLength":100,"pattern":"^[a-z0-9_]+(\\.[a-z0-9_]+)*$"},"category":{"type":"string","minLength":1,"maxLength":100},"severity":{"$ref":"document#/components/schemas/NotificationSeverity"},"title":{"type":"string","minLength":1,"maxLength":200,"pattern":"\\S"},"body":{"type":"string","maxLength":4000},"data":{"type":"object","additionalProperties":true},"actor":{"unevaluatedProperties":false,"allOf":[{"$ref":"document#/components/schemas/NotificationActor"}]},"actionUrl":{"type":"string","minLength":1,"maxLength":2000},"groupKey":{"type":"string","minLength":1,"maxLength":200},"dedupeKey":{"type":"string","minLength":1,"maxLength":200},"expiresAt":{"type":"string","format":"date-time"},"sendAt":{"type":"string","format":"date-time"},"cancelKey":{"type":"string","minLength":1,"maxLength":200}}};
const pattern5 = new RegExp("^[a-z0-9_]+(\\.[a-z0-9_]+)*$", "u");

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.title === undefined) && (missing0 = "title"))){
validate90.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.tenantId !== undefined){
let data0 = data.tenantId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate90.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate90.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data1 = data.type;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 100){
validate90.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(!pattern5.test(data1)){
validate90.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9_]+(\\.[a-z0-9_]+)*$"},message:"must match pattern \""+"^[a-z0-9_]+(\\.[a-z0-9_]+)*$"+"\""}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.category !== undefined){
let data2 = data.category;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(func1(data2) > 100){
validate90.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func1(data2) < 1){
validate90.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.severity !== undefined){
const _errs7 = errors;
if(!(validate82(data.severity, {instancePath:instancePath+"/severity",parentData:data,parentDataProperty:"severity",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate82.errors : vErrors.concat(validate82.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
let data4 = data.title;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(func1(data4) > 200){
validate90.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data4) < 1){
validate90.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern4.test(data4)){
validate90.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/pattern",keyword:"pattern",params:{pattern: "\\S"},message:"must match pattern \""+"\\S"+"\""}];
return false;
}
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.body !== undefined){
let data5 = data.body;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(func1(data5) > 4000){
validate90.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"}];
return false;
}
}
else {
validate90.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data6 = data.data;
const _errs12 = errors;
if(errors === _errs12){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
}
else {
validate90.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actor !== undefined){
let data7 = data.actor;
const _errs15 = errors;
if(!(validate84(data7, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
if(errors === _errs15){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key0 in data7){
if(((key0 !== "type") && (key0 !== "id")) && (key0 !== "name")){
validate90.errors = [{instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0},message:"must NOT have unevaluated properties"}];
return false;
break;
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actionUrl !== undefined){
let data8 = data.actionUrl;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(func1(data8) > 2000){
validate90.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(func1(data8) < 1){
validate90.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.groupKey !== undefined){
let data9 = data.groupKey;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data9 === "string"){
if(func1(data9) > 200){
validate90.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data9) < 1){
validate90.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dedupeKey !== undefined){
let data10 = data.dedupeKey;
const _errs22 = errors;
if(errors === _errs22){
if(typeof data10 === "string"){
if(func1(data10) > 200){
validate90.errors = [{instancePath:instancePath+"/dedupeKey",schemaPath:"#/properties/dedupeKey/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data10) < 1){
validate90.errors = [{instancePath:instancePath+"/dedupeKey",schemaPath:"#/properties/dedupeKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/dedupeKey",schemaPath:"#/properties/dedupeKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data11 = data.expiresAt;
const _errs24 = errors;
if(errors === _errs24){
if(errors === _errs24){
if(typeof data11 === "string"){
if(!(formats0.validate(data11))){
validate90.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate90.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sendAt !== undefined){
let data12 = data.sendAt;
const _errs26 = errors;
if(errors === _errs26){
if(errors === _errs26){
if(typeof data12 === "string"){
if(!(formats0.validate(data12))){
validate90.errors = [{instancePath:instancePath+"/sendAt",schemaPath:"#/properties/sendAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate90.errors = [{instancePath:instancePath+"/sendAt",schemaPath:"#/properties/sendAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.cancelKey !== undefined){
let data13 = data.cancelKey;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data13 === "string"){
if(func1(data13) > 200){
validate90.errors = [{instancePath:instancePath+"/cancelKey",schemaPath:"#/properties/cancelKey/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data13) < 1){
validate90.errors = [{instancePath:instancePath+"/cancelKey",schemaPath:"#/properties/cancelKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate90.errors = [{instancePath:instancePath+"/cancelKey",schemaPath:"#/properties/cancelKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate90.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"props":{"tenantId":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"dedupeKey":true,"expiresAt":true,"sendAt":true,"cancelKey":true},"dynamicProps":false,"dynamicItems":false};

const schema43 = {"type":"object","additionalProperties":false,"required":["key","windowSeconds"],"properties":{"key":{"type":"string","minLength":1,"maxLength":200},"windowSeconds":{"type":"integer","minimum":1,"maximum":604800},"sliding":{"type":"boolean"}}};

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate94.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.key === undefined) && (missing0 = "key")) || ((data.windowSeconds === undefined) && (missing0 = "windowSeconds"))){
validate94.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "key") || (key0 === "windowSeconds")) || (key0 === "sliding"))){
validate94.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.key !== undefined){
let data0 = data.key;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate94.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate94.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate94.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.windowSeconds !== undefined){
let data1 = data.windowSeconds;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate94.errors = [{instancePath:instancePath+"/windowSeconds",schemaPath:"#/properties/windowSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 604800 || isNaN(data1)){
validate94.errors = [{instancePath:instancePath+"/windowSeconds",schemaPath:"#/properties/windowSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800},message:"must be <= 604800"}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate94.errors = [{instancePath:instancePath+"/windowSeconds",schemaPath:"#/properties/windowSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sliding !== undefined){
const _errs6 = errors;
if(typeof data.sliding !== "boolean"){
validate94.errors = [{instancePath:instancePath+"/sliding",schemaPath:"#/properties/sliding/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate94.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate94.errors = vErrors;
return errors === 0;
}
validate94.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate89.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate90(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.userIds === undefined) && (missing0 = "userIds")){
validate89.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.audience !== undefined){
let data0 = data.audience;
const _errs3 = errors;
if(typeof data0 !== "string"){
validate89.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("user" !== data0){
validate89.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/const",keyword:"const",params:{allowedValue: "user"},message:"must be equal to constant"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.userIds !== undefined){
let data1 = data.userIds;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data1)){
if(data1.length > 1000){
validate89.errors = [{instancePath:instancePath+"/userIds",schemaPath:"#/allOf/1/properties/userIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data1.length < 1){
validate89.errors = [{instancePath:instancePath+"/userIds",schemaPath:"#/allOf/1/properties/userIds/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) > 255){
validate89.errors = [{instancePath:instancePath+"/userIds/" + i0,schemaPath:"#/allOf/1/properties/userIds/items/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"}];
return false;
}
else {
if(func1(data2) < 1){
validate89.errors = [{instancePath:instancePath+"/userIds/" + i0,schemaPath:"#/allOf/1/properties/userIds/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate89.errors = [{instancePath:instancePath+"/userIds/" + i0,schemaPath:"#/allOf/1/properties/userIds/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate89.errors = [{instancePath:instancePath+"/userIds",schemaPath:"#/allOf/1/properties/userIds/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.digest !== undefined){
const _errs9 = errors;
if(!(validate94(data.digest, {instancePath:instancePath+"/digest",parentData:data,parentDataProperty:"digest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate94.errors : vErrors.concat(validate94.errors);
errors = vErrors.length;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate89.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notificationId !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.userId !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.topic !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/topic",schemaPath:"#/properties/topic/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.createdAt !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.seenAt !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.readAt !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.interactedAt !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/interactedAt",schemaPath:"#/properties/interactedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.archivedAt !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.snoozedUntil !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/snoozedUntil",schemaPath:"#/properties/snoozedUntil/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
if(data.isRead !== undefined){
var valid3 = false;
validate89.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid3 = true;
}
if(valid3){
for(const key0 in data){
if(((((((((((((((((((((((((((key0 !== "notificationId") && (key0 !== "userId")) && (key0 !== "topic")) && (key0 !== "createdAt")) && (key0 !== "seenAt")) && (key0 !== "readAt")) && (key0 !== "interactedAt")) && (key0 !== "archivedAt")) && (key0 !== "snoozedUntil")) && (key0 !== "isRead")) && (key0 !== "audience")) && (key0 !== "userIds")) && (key0 !== "digest")) && (key0 !== "tenantId")) && (key0 !== "type")) && (key0 !== "category")) && (key0 !== "severity")) && (key0 !== "title")) && (key0 !== "body")) && (key0 !== "data")) && (key0 !== "actor")) && (key0 !== "actionUrl")) && (key0 !== "groupKey")) && (key0 !== "dedupeKey")) && (key0 !== "expiresAt")) && (key0 !== "sendAt")) && (key0 !== "cancelKey")){
validate89.errors = [{instancePath,schemaPath:"#/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0},message:"must NOT have unevaluated properties"}];
return false;
break;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
validate89.errors = vErrors;
return errors === 0;
}
validate89.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema44 = {"unevaluatedProperties":false,"allOf":[{"$ref":"document#/components/schemas/NotificationContent"},{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","const":"tenant"}}}],"properties":{"notificationId":false,"userId":false,"topic":false,"createdAt":false,"seenAt":false,"readAt":false,"interactedAt":false,"archivedAt":false,"snoozedUntil":false,"isRead":false}};

function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate97.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate90(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.audience === undefined) && (missing0 = "audience")){
validate97.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.audience !== undefined){
let data0 = data.audience;
if(typeof data0 !== "string"){
validate97.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("tenant" !== data0){
validate97.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/const",keyword:"const",params:{allowedValue: "tenant"},message:"must be equal to constant"}];
return false;
}
}
}
}
else {
validate97.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notificationId !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.userId !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.topic !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/topic",schemaPath:"#/properties/topic/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.createdAt !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.seenAt !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.readAt !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.interactedAt !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/interactedAt",schemaPath:"#/properties/interactedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.archivedAt !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.snoozedUntil !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/snoozedUntil",schemaPath:"#/properties/snoozedUntil/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.isRead !== undefined){
var valid2 = false;
validate97.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
for(const key0 in data){
if(((((((((((((((((((((((((key0 !== "notificationId") && (key0 !== "userId")) && (key0 !== "topic")) && (key0 !== "createdAt")) && (key0 !== "seenAt")) && (key0 !== "readAt")) && (key0 !== "interactedAt")) && (key0 !== "archivedAt")) && (key0 !== "snoozedUntil")) && (key0 !== "isRead")) && (key0 !== "audience")) && (key0 !== "tenantId")) && (key0 !== "type")) && (key0 !== "category")) && (key0 !== "severity")) && (key0 !== "title")) && (key0 !== "body")) && (key0 !== "data")) && (key0 !== "actor")) && (key0 !== "actionUrl")) && (key0 !== "groupKey")) && (key0 !== "dedupeKey")) && (key0 !== "expiresAt")) && (key0 !== "sendAt")) && (key0 !== "cancelKey")){
validate97.errors = [{instancePath,schemaPath:"#/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0},message:"must NOT have unevaluated properties"}];
return false;
break;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
validate97.errors = vErrors;
return errors === 0;
}
validate97.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema45 = {"unevaluatedProperties":false,"allOf":[{"$ref":"document#/components/schemas/NotificationContent"},{"type":"object","required":["audience","topic"],"properties":{"audience":{"type":"string","const":"topic"},"topic":{"$ref":"document#/components/schemas/TopicName"}}}],"properties":{"notificationId":false,"userId":false,"createdAt":false,"seenAt":false,"readAt":false,"interactedAt":false,"archivedAt":false,"snoozedUntil":false,"isRead":false}};
const schema46 = {"type":"string","minLength":1,"maxLength":200};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 200){
validate102.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data) < 1){
validate102.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate102.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate100.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate90(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.audience === undefined) && (missing0 = "audience")) || ((data.topic === undefined) && (missing0 = "topic"))){
validate100.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.audience !== undefined){
let data0 = data.audience;
const _errs3 = errors;
if(typeof data0 !== "string"){
validate100.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("topic" !== data0){
validate100.errors = [{instancePath:instancePath+"/audience",schemaPath:"#/allOf/1/properties/audience/const",keyword:"const",params:{allowedValue: "topic"},message:"must be equal to constant"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.topic !== undefined){
const _errs5 = errors;
if(!(validate102(data.topic, {instancePath:instancePath+"/topic",parentData:data,parentDataProperty:"topic",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate100.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notificationId !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.userId !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.createdAt !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.seenAt !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.readAt !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.interactedAt !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/interactedAt",schemaPath:"#/properties/interactedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.archivedAt !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.snoozedUntil !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/snoozedUntil",schemaPath:"#/properties/snoozedUntil/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
if(data.isRead !== undefined){
var valid2 = false;
validate100.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid2 = true;
}
if(valid2){
for(const key0 in data){
if(((((((((((((((((((((((((key0 !== "notificationId") && (key0 !== "userId")) && (key0 !== "createdAt")) && (key0 !== "seenAt")) && (key0 !== "readAt")) && (key0 !== "interactedAt")) && (key0 !== "archivedAt")) && (key0 !== "snoozedUntil")) && (key0 !== "isRead")) && (key0 !== "audience")) && (key0 !== "topic")) && (key0 !== "tenantId")) && (key0 !== "type")) && (key0 !== "category")) && (key0 !== "severity")) && (key0 !== "title")) && (key0 !== "body")) && (key0 !== "data")) && (key0 !== "actor")) && (key0 !== "actionUrl")) && (key0 !== "groupKey")) && (key0 !== "dedupeKey")) && (key0 !== "expiresAt")) && (key0 !== "sendAt")) && (key0 !== "cancelKey")){
validate100.errors = [{instancePath,schemaPath:"#/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0},message:"must NOT have unevaluated properties"}];
return false;
break;
}
}
}
}
}
}
}
}
}
}
}
}
}
validate100.errors = vErrors;
return errors === 0;
}
validate100.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate89(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate97(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate100(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate100.errors : vErrors.concat(validate100.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate88.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate88.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate88.evaluated = {"dynamicProps":true,"dynamicItems":false};

function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createNotifications" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate87.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate88(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
errors = vErrors.length;
}
else {
var props0 = validate88.evaluated.props;
}
validate87.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate87.evaluated = {"dynamicProps":true,"dynamicItems":false};

const check_createSigningConfig = validate106;
const schema47 = {"$id":"check_createSigningConfig","$ref":"document#/components/schemas/SigningConfigRequest"};
const schema48 = {"type":"object","additionalProperties":false,"required":["signingParties"],"properties":{"signingParties":{"$ref":"document#/components/schemas/SigningParties"},"accountId":false,"configured":false,"effectiveParties":false,"threshold":false,"ready":false,"problems":false,"version":false,"updatedAt":false,"updatedBy":false}};
const func44 = Object.prototype.hasOwnProperty;
const schema49 = {"type":"array","items":{"type":"string"}};

function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate108.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(typeof data[i0] !== "string"){
validate108.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate108.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate108.errors = vErrors;
return errors === 0;
}
validate108.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

function validate107(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate107.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.signingParties === undefined) && (missing0 = "signingParties")){
validate107.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema48.properties, key0))){
validate107.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.signingParties !== undefined){
const _errs2 = errors;
if(!(validate108(data.signingParties, {instancePath:instancePath+"/signingParties",parentData:data,parentDataProperty:"signingParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate108.errors : vErrors.concat(validate108.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.configured !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/configured",schemaPath:"#/properties/configured/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.effectiveParties !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/effectiveParties",schemaPath:"#/properties/effectiveParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ready !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/ready",schemaPath:"#/properties/ready/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.problems !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/problems",schemaPath:"#/properties/problems/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedBy !== undefined){
var valid0 = false;
validate107.errors = [{instancePath:instancePath+"/updatedBy",schemaPath:"#/properties/updatedBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate107.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate107.errors = vErrors;
return errors === 0;
}
validate107.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createSigningConfig" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate106.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate107(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate107.errors : vErrors.concat(validate107.errors);
errors = vErrors.length;
}
validate106.errors = vErrors;
return errors === 0;
}
validate106.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createSigningSession = validate111;
const schema50 = {"$id":"check_createSigningSession","$ref":"document#/components/schemas/SigningSessionRequest"};
const schema51 = {"type":"object","additionalProperties":false,"properties":{"sessionId":{"type":"string","format":"uuid"},"messageDigest":{"$ref":"document#/components/schemas/Sha256"},"message":{"type":"string"},"protocol":{"$ref":"document#/components/schemas/SigningProtocol"},"derivationPath":{"type":"array","maxItems":16,"items":{"type":"integer","minimum":0,"maximum":4294967295}},"ttlSeconds":{"type":"integer","minimum":30,"maximum":3600},"delegateUserShare":{"$ref":"document#/components/schemas/DelegateUserShare"},"metadata":{"type":"object","additionalProperties":true},"request":{"$ref":"document#/components/schemas/SigningRequest"},"parties":{"type":"array","minItems":1,"maxItems":64,"items":{"$ref":"document#/components/schemas/PartyId"}},"replaces":{"type":"string","format":"uuid"},"tenantId":false,"accountId":false,"createdBy":false,"state":false,"stateVersion":false,"partySource":false,"threshold":false,"participants":false,"publicKey":false,"signature":false,"recoveryId":false,"failureReason":false,"failureDetail":false,"culpritPartyIds":false,"missingParties":false,"ceremony":false,"replacedBy":false,"missingSince":false,"createdAt":false,"readyBy":false,"expiresAt":false,"endedAt":false}};
const formats10 = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const schema52 = {"type":"string","pattern":"^[0-9a-f]{64}$"};
const pattern7 = new RegExp("^[0-9a-f]{64}$", "u");

function validate113(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate113.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate113.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate113.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate113.errors = vErrors;
return errors === 0;
}
validate113.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema53 = {"type":"string","enum":["ed25519","ecdsa-secp256k1","bip340","ecdsa-p256"]};

function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate115.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate115.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "ed25519") || (data === "ecdsa-secp256k1")) || (data === "bip340")) || (data === "ecdsa-p256"))){
validate115.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema53.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate115.errors = vErrors;
return errors === 0;
}
validate115.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema54 = {"type":"object","required":["delegatePartyId","recipientKeyId","suite","encapsulatedKey","ciphertext","aadSha256","shareType","purpose","expiresAt"],"additionalProperties":false,"properties":{"delegatePartyId":{"$ref":"document#/components/schemas/PartyId"},"recipientKeyId":{"type":"string","minLength":1,"maxLength":128},"suite":{"$ref":"document#/components/schemas/EncryptionSuite"},"encapsulatedKey":{"type":"string","pattern":"^[A-Za-z0-9_-]{43,1366}$"},"ciphertext":{"type":"string","pattern":"^[A-Za-z0-9_-]+$","minLength":22,"maxLength":349526},"nonce":{"type":"string","pattern":"^[A-Za-z0-9_-]{16,86}$"},"aadSha256":{"$ref":"document#/components/schemas/Sha256"},"shareType":{"type":"string","const":"delegate"},"purpose":{"type":"string","const":"signing"},"expiresAt":{"type":"string","format":"date-time"}}};
const schema55 = {"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,62}$"};
const pattern8 = new RegExp("^[a-z0-9][a-z0-9._-]{0,62}$", "u");

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate118.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern8.test(data)){
validate118.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,62}$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9._-]{0,62}$"+"\""}];
return false;
}
}
else {
validate118.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate118.errors = vErrors;
return errors === 0;
}
validate118.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema56 = {"type":"string","enum":["HPKE-X25519-SHA256-AES256GCM","RSA-OAEP-SHA256-AES256GCM"]};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate120.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate120.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "HPKE-X25519-SHA256-AES256GCM") || (data === "RSA-OAEP-SHA256-AES256GCM"))){
validate120.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate120.errors = vErrors;
return errors === 0;
}
validate120.evaluated = {"dynamicProps":false,"dynamicItems":false};

const pattern9 = new RegExp("^[A-Za-z0-9_-]{43,1366}$", "u");
const pattern10 = new RegExp("^[A-Za-z0-9_-]+$", "u");
const pattern11 = new RegExp("^[A-Za-z0-9_-]{16,86}$", "u");

function validate117(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate117.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.delegatePartyId === undefined) && (missing0 = "delegatePartyId")) || ((data.recipientKeyId === undefined) && (missing0 = "recipientKeyId"))) || ((data.suite === undefined) && (missing0 = "suite"))) || ((data.encapsulatedKey === undefined) && (missing0 = "encapsulatedKey"))) || ((data.ciphertext === undefined) && (missing0 = "ciphertext"))) || ((data.aadSha256 === undefined) && (missing0 = "aadSha256"))) || ((data.shareType === undefined) && (missing0 = "shareType"))) || ((data.purpose === undefined) && (missing0 = "purpose"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))){
validate117.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema54.properties, key0))){
validate117.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.delegatePartyId !== undefined){
const _errs2 = errors;
if(!(validate118(data.delegatePartyId, {instancePath:instancePath+"/delegatePartyId",parentData:data,parentDataProperty:"delegatePartyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recipientKeyId !== undefined){
let data1 = data.recipientKeyId;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 128){
validate117.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate117.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate117.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suite !== undefined){
const _errs5 = errors;
if(!(validate120(data.suite, {instancePath:instancePath+"/suite",parentData:data,parentDataProperty:"suite",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.encapsulatedKey !== undefined){
let data3 = data.encapsulatedKey;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern9.test(data3)){
validate117.errors = [{instancePath:instancePath+"/encapsulatedKey",schemaPath:"#/properties/encapsulatedKey/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{43,1366}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{43,1366}$"+"\""}];
return false;
}
}
else {
validate117.errors = [{instancePath:instancePath+"/encapsulatedKey",schemaPath:"#/properties/encapsulatedKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ciphertext !== undefined){
let data4 = data.ciphertext;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(func1(data4) > 349526){
validate117.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/maxLength",keyword:"maxLength",params:{limit: 349526},message:"must NOT have more than 349526 characters"}];
return false;
}
else {
if(func1(data4) < 22){
validate117.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/minLength",keyword:"minLength",params:{limit: 22},message:"must NOT have fewer than 22 characters"}];
return false;
}
else {
if(!pattern10.test(data4)){
validate117.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate117.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data5 = data.nonce;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(!pattern11.test(data5)){
validate117.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{16,86}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{16,86}$"+"\""}];
return false;
}
}
else {
validate117.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.aadSha256 !== undefined){
const _errs12 = errors;
if(!(validate113(data.aadSha256, {instancePath:instancePath+"/aadSha256",parentData:data,parentDataProperty:"aadSha256",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
let data7 = data.shareType;
const _errs13 = errors;
if(typeof data7 !== "string"){
validate117.errors = [{instancePath:instancePath+"/shareType",schemaPath:"#/properties/shareType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("delegate" !== data7){
validate117.errors = [{instancePath:instancePath+"/shareType",schemaPath:"#/properties/shareType/const",keyword:"const",params:{allowedValue: "delegate"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.purpose !== undefined){
let data8 = data.purpose;
const _errs15 = errors;
if(typeof data8 !== "string"){
validate117.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("signing" !== data8){
validate117.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/const",keyword:"const",params:{allowedValue: "signing"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data9 = data.expiresAt;
const _errs17 = errors;
if(errors === _errs17){
if(errors === _errs17){
if(typeof data9 === "string"){
if(!(formats0.validate(data9))){
validate117.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate117.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate117.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate117.errors = vErrors;
return errors === 0;
}
validate117.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema57 = {"type":"object","additionalProperties":false,"required":["content","signatures"],"properties":{"content":{"type":"string","pattern":"^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$","minLength":2,"maxLength":21846},"signatures":{"type":"array","minItems":1,"maxItems":16,"items":{"$ref":"document#/components/schemas/RequestSignature"}}}};
const pattern12 = new RegExp("^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$", "u");
const schema58 = {"type":"object","additionalProperties":false,"required":["keyId","algorithm","signature"],"properties":{"keyId":{"$ref":"document#/components/schemas/RequestKeyId"},"algorithm":{"$ref":"document#/components/schemas/RequestAlgorithm"},"signature":{"type":"string","pattern":"^(?:[0-9a-f]{2}){64}$"}}};
const schema59 = {"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"};
const pattern13 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$", "u");

function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate126.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern13.test(data)){
validate126.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"+"\""}];
return false;
}
}
else {
validate126.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate126.errors = vErrors;
return errors === 0;
}
validate126.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema60 = {"type":"string","enum":["ed25519","ecdsa-p256"]};

function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate128.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate128.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "ed25519") || (data === "ecdsa-p256"))){
validate128.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema60.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate128.errors = vErrors;
return errors === 0;
}
validate128.evaluated = {"dynamicProps":false,"dynamicItems":false};

const pattern14 = new RegExp("^(?:[0-9a-f]{2}){64}$", "u");

function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate125.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.keyId === undefined) && (missing0 = "keyId")) || ((data.algorithm === undefined) && (missing0 = "algorithm"))) || ((data.signature === undefined) && (missing0 = "signature"))){
validate125.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "keyId") || (key0 === "algorithm")) || (key0 === "signature"))){
validate125.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.keyId !== undefined){
const _errs2 = errors;
if(!(validate126(data.keyId, {instancePath:instancePath+"/keyId",parentData:data,parentDataProperty:"keyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.algorithm !== undefined){
const _errs3 = errors;
if(!(validate128(data.algorithm, {instancePath:instancePath+"/algorithm",parentData:data,parentDataProperty:"algorithm",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data2 = data.signature;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern14.test(data2)){
validate125.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){64}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){64}$"+"\""}];
return false;
}
}
else {
validate125.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate125.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate125.errors = vErrors;
return errors === 0;
}
validate125.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate124.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.content === undefined) && (missing0 = "content")) || ((data.signatures === undefined) && (missing0 = "signatures"))){
validate124.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "content") || (key0 === "signatures"))){
validate124.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.content !== undefined){
let data0 = data.content;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 21846){
validate124.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/maxLength",keyword:"maxLength",params:{limit: 21846},message:"must NOT have more than 21846 characters"}];
return false;
}
else {
if(func1(data0) < 2){
validate124.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/minLength",keyword:"minLength",params:{limit: 2},message:"must NOT have fewer than 2 characters"}];
return false;
}
else {
if(!pattern12.test(data0)){
validate124.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/pattern",keyword:"pattern",params:{pattern: "^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$"},message:"must match pattern \""+"^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$"+"\""}];
return false;
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signatures !== undefined){
let data1 = data.signatures;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
if(data1.length > 16){
validate124.errors = [{instancePath:instancePath+"/signatures",schemaPath:"#/properties/signatures/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
if(data1.length < 1){
validate124.errors = [{instancePath:instancePath+"/signatures",schemaPath:"#/properties/signatures/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate125(data1[i0], {instancePath:instancePath+"/signatures/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate125.errors : vErrors.concat(validate125.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate124.errors = [{instancePath:instancePath+"/signatures",schemaPath:"#/properties/signatures/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate124.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate124.errors = vErrors;
return errors === 0;
}
validate124.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema51.properties, key0))){
validate112.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.sessionId !== undefined){
let data0 = data.sessionId;
const _errs2 = errors;
if(errors === _errs2){
if(errors === _errs2){
if(typeof data0 === "string"){
if(!(formats10.test(data0))){
validate112.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate112.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageDigest !== undefined){
const _errs4 = errors;
if(!(validate113(data.messageDigest, {instancePath:instancePath+"/messageDigest",parentData:data,parentDataProperty:"messageDigest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs5 = errors;
if(typeof data.message !== "string"){
validate112.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocol !== undefined){
const _errs7 = errors;
if(!(validate115(data.protocol, {instancePath:instancePath+"/protocol",parentData:data,parentDataProperty:"protocol",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.derivationPath !== undefined){
let data4 = data.derivationPath;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
if(data4.length > 16){
validate112.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate112.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 4294967295 || isNaN(data5)){
validate112.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967295},message:"must be <= 4294967295"}];
return false;
}
else {
if(data5 < 0 || isNaN(data5)){
validate112.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate112.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ttlSeconds !== undefined){
let data6 = data.ttlSeconds;
const _errs12 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate112.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 3600 || isNaN(data6)){
validate112.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600"}];
return false;
}
else {
if(data6 < 30 || isNaN(data6)){
validate112.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 30},message:"must be >= 30"}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delegateUserShare !== undefined){
const _errs14 = errors;
if(!(validate117(data.delegateUserShare, {instancePath:instancePath+"/delegateUserShare",parentData:data,parentDataProperty:"delegateUserShare",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate117.errors : vErrors.concat(validate117.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data8 = data.metadata;
const _errs15 = errors;
if(errors === _errs15){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
}
else {
validate112.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request !== undefined){
const _errs18 = errors;
if(!(validate124(data.request, {instancePath:instancePath+"/request",parentData:data,parentDataProperty:"request",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parties !== undefined){
let data10 = data.parties;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data10)){
if(data10.length > 64){
validate112.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
if(data10.length < 1){
validate112.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
const _errs21 = errors;
if(!(validate118(data10[i1], {instancePath:instancePath+"/parties/" + i1,parentData:data10,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid2 = _errs21 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate112.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replaces !== undefined){
let data12 = data.replaces;
const _errs22 = errors;
if(errors === _errs22){
if(errors === _errs22){
if(typeof data12 === "string"){
if(!(formats10.test(data12))){
validate112.errors = [{instancePath:instancePath+"/replaces",schemaPath:"#/properties/replaces/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate112.errors = [{instancePath:instancePath+"/replaces",schemaPath:"#/properties/replaces/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/createdBy",schemaPath:"#/properties/createdBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/state",schemaPath:"#/properties/state/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stateVersion !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partySource !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.participants !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recoveryId !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/recoveryId",schemaPath:"#/properties/recoveryId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureReason !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureDetail !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/failureDetail",schemaPath:"#/properties/failureDetail/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.culpritPartyIds !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/culpritPartyIds",schemaPath:"#/properties/culpritPartyIds/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingParties !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/missingParties",schemaPath:"#/properties/missingParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ceremony !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/ceremony",schemaPath:"#/properties/ceremony/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replacedBy !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/replacedBy",schemaPath:"#/properties/replacedBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingSince !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/missingSince",schemaPath:"#/properties/missingSince/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readyBy !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endedAt !== undefined){
var valid0 = false;
validate112.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate112.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate112.errors = vErrors;
return errors === 0;
}
validate112.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createSigningSession" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate111.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate112(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
validate111.errors = vErrors;
return errors === 0;
}
validate111.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createSigningSessions = validate134;
const schema61 = {"$id":"check_createSigningSessions","$ref":"document#/components/schemas/SigningSessionBatch"};
const schema62 = {"type":"object","required":["sessions"],"additionalProperties":false,"properties":{"sessions":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"document#/components/schemas/SigningSessionRequest"}}}};

function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate136.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema51.properties, key0))){
validate136.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.sessionId !== undefined){
let data0 = data.sessionId;
const _errs2 = errors;
if(errors === _errs2){
if(errors === _errs2){
if(typeof data0 === "string"){
if(!(formats10.test(data0))){
validate136.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate136.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageDigest !== undefined){
const _errs4 = errors;
if(!(validate113(data.messageDigest, {instancePath:instancePath+"/messageDigest",parentData:data,parentDataProperty:"messageDigest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs5 = errors;
if(typeof data.message !== "string"){
validate136.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocol !== undefined){
const _errs7 = errors;
if(!(validate115(data.protocol, {instancePath:instancePath+"/protocol",parentData:data,parentDataProperty:"protocol",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.derivationPath !== undefined){
let data4 = data.derivationPath;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
if(data4.length > 16){
validate136.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate136.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 4294967295 || isNaN(data5)){
validate136.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967295},message:"must be <= 4294967295"}];
return false;
}
else {
if(data5 < 0 || isNaN(data5)){
validate136.errors = [{instancePath:instancePath+"/derivationPath/" + i0,schemaPath:"#/properties/derivationPath/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate136.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ttlSeconds !== undefined){
let data6 = data.ttlSeconds;
const _errs12 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate136.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 3600 || isNaN(data6)){
validate136.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600"}];
return false;
}
else {
if(data6 < 30 || isNaN(data6)){
validate136.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 30},message:"must be >= 30"}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delegateUserShare !== undefined){
const _errs14 = errors;
if(!(validate117(data.delegateUserShare, {instancePath:instancePath+"/delegateUserShare",parentData:data,parentDataProperty:"delegateUserShare",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate117.errors : vErrors.concat(validate117.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data8 = data.metadata;
const _errs15 = errors;
if(errors === _errs15){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
}
else {
validate136.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request !== undefined){
const _errs18 = errors;
if(!(validate124(data.request, {instancePath:instancePath+"/request",parentData:data,parentDataProperty:"request",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parties !== undefined){
let data10 = data.parties;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data10)){
if(data10.length > 64){
validate136.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
if(data10.length < 1){
validate136.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
const _errs21 = errors;
if(!(validate118(data10[i1], {instancePath:instancePath+"/parties/" + i1,parentData:data10,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid2 = _errs21 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate136.errors = [{instancePath:instancePath+"/parties",schemaPath:"#/properties/parties/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replaces !== undefined){
let data12 = data.replaces;
const _errs22 = errors;
if(errors === _errs22){
if(errors === _errs22){
if(typeof data12 === "string"){
if(!(formats10.test(data12))){
validate136.errors = [{instancePath:instancePath+"/replaces",schemaPath:"#/properties/replaces/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate136.errors = [{instancePath:instancePath+"/replaces",schemaPath:"#/properties/replaces/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/createdBy",schemaPath:"#/properties/createdBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/state",schemaPath:"#/properties/state/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stateVersion !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partySource !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.participants !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recoveryId !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/recoveryId",schemaPath:"#/properties/recoveryId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureReason !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureDetail !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/failureDetail",schemaPath:"#/properties/failureDetail/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.culpritPartyIds !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/culpritPartyIds",schemaPath:"#/properties/culpritPartyIds/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingParties !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/missingParties",schemaPath:"#/properties/missingParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ceremony !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/ceremony",schemaPath:"#/properties/ceremony/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replacedBy !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/replacedBy",schemaPath:"#/properties/replacedBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingSince !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/missingSince",schemaPath:"#/properties/missingSince/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readyBy !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endedAt !== undefined){
var valid0 = false;
validate136.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate136.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate136.errors = vErrors;
return errors === 0;
}
validate136.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate135(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate135.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.sessions === undefined) && (missing0 = "sessions")){
validate135.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "sessions")){
validate135.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.sessions !== undefined){
let data0 = data.sessions;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 100){
validate135.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data0.length < 1){
validate135.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate136(data0[i0], {instancePath:instancePath+"/sessions/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate135.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
}
else {
validate135.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate135.errors = vErrors;
return errors === 0;
}
validate135.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate134(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createSigningSessions" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate134.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate135(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate135.errors : vErrors.concat(validate135.errors);
errors = vErrors.length;
}
validate134.errors = vErrors;
return errors === 0;
}
validate134.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createCeremony = validate144;
const schema64 = {"$id":"check_createCeremony","$ref":"document#/components/schemas/CeremonyRequest"};
const schema65 = {"type":"object","required":["kind"],"additionalProperties":false,"properties":{"kind":{"$ref":"document#/components/schemas/CeremonyKind"},"sessionId":{"type":"string","format":"uuid"},"dealers":{"type":"array","minItems":1,"maxItems":64,"items":{"$ref":"document#/components/schemas/PartyId"}},"after":{"$ref":"document#/components/schemas/NewHolding"},"ttlSeconds":{"type":"integer","minimum":30,"maximum":3600},"request":{"$ref":"document#/components/schemas/SigningRequest"},"tenantId":false,"accountId":false,"createdBy":false,"state":false,"stateVersion":false,"partySource":false,"threshold":false,"participants":false,"protocol":false,"messageDigest":false,"message":false,"derivationPath":false,"publicKey":false,"delegateUserShare":false,"signature":false,"recoveryId":false,"failureReason":false,"failureDetail":false,"culpritPartyIds":false,"missingParties":false,"metadata":false,"ceremony":false,"replaces":false,"replacedBy":false,"missingSince":false,"createdAt":false,"readyBy":false,"expiresAt":false,"endedAt":false}};
const schema66 = {"type":"string","enum":["keygen","reshare"]};

function validate146(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate146.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate146.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "keygen") || (data === "reshare"))){
validate146.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema66.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate146.errors = vErrors;
return errors === 0;
}
validate146.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema67 = {"type":"object","required":["threshold","shares"],"additionalProperties":false,"properties":{"threshold":{"type":"integer","minimum":1,"maximum":64},"shares":{"type":"array","minItems":1,"maxItems":64,"items":{"$ref":"document#/components/schemas/AccountShareRequest"}}}};
const schema68 = {"type":"object","additionalProperties":false,"required":["partyId","shareIndex","shareType"],"properties":{"partyId":{"type":"string"},"shareIndex":{"type":"integer","minimum":1,"maximum":64},"shareType":{"$ref":"document#/components/schemas/ShareType"},"status":false}};
const schema69 = {"type":"string","enum":["server","user","backup","delegate"]};

function validate151(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate151.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate151.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "server") || (data === "user")) || (data === "backup")) || (data === "delegate"))){
validate151.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema69.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate151.errors = vErrors;
return errors === 0;
}
validate151.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate150(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate150.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.shareIndex === undefined) && (missing0 = "shareIndex"))) || ((data.shareType === undefined) && (missing0 = "shareType"))){
validate150.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "partyId") || (key0 === "shareIndex")) || (key0 === "shareType")) || (key0 === "status"))){
validate150.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.partyId !== undefined){
const _errs2 = errors;
if(typeof data.partyId !== "string"){
validate150.errors = [{instancePath:instancePath+"/partyId",schemaPath:"#/properties/partyId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareIndex !== undefined){
let data1 = data.shareIndex;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate150.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 64 || isNaN(data1)){
validate150.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/maximum",keyword:"maximum",params:{comparison: "<=", limit: 64},message:"must be <= 64"}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate150.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
const _errs6 = errors;
if(!(validate151(data.shareType, {instancePath:instancePath+"/shareType",parentData:data,parentDataProperty:"shareType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate151.errors : vErrors.concat(validate151.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
var valid0 = false;
validate150.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate150.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate150.errors = vErrors;
return errors === 0;
}
validate150.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate149(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate149.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.threshold === undefined) && (missing0 = "threshold")) || ((data.shares === undefined) && (missing0 = "shares"))){
validate149.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "threshold") || (key0 === "shares"))){
validate149.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.threshold !== undefined){
let data0 = data.threshold;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate149.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 64 || isNaN(data0)){
validate149.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/maximum",keyword:"maximum",params:{comparison: "<=", limit: 64},message:"must be <= 64"}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate149.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
let data1 = data.shares;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
if(data1.length > 64){
validate149.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
if(data1.length < 1){
validate149.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate150(data1[i0], {instancePath:instancePath+"/shares/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate150.errors : vErrors.concat(validate150.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate149.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate149.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate149.errors = vErrors;
return errors === 0;
}
validate149.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate145(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate145.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.kind === undefined) && (missing0 = "kind")){
validate145.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema65.properties, key0))){
validate145.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.kind !== undefined){
const _errs2 = errors;
if(!(validate146(data.kind, {instancePath:instancePath+"/kind",parentData:data,parentDataProperty:"kind",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate146.errors : vErrors.concat(validate146.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sessionId !== undefined){
let data1 = data.sessionId;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data1 === "string"){
if(!(formats10.test(data1))){
validate145.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate145.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dealers !== undefined){
let data2 = data.dealers;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 64){
validate145.errors = [{instancePath:instancePath+"/dealers",schemaPath:"#/properties/dealers/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
if(data2.length < 1){
validate145.errors = [{instancePath:instancePath+"/dealers",schemaPath:"#/properties/dealers/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs7 = errors;
if(!(validate118(data2[i0], {instancePath:instancePath+"/dealers/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid1 = _errs7 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate145.errors = [{instancePath:instancePath+"/dealers",schemaPath:"#/properties/dealers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.after !== undefined){
const _errs8 = errors;
if(!(validate149(data.after, {instancePath:instancePath+"/after",parentData:data,parentDataProperty:"after",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate149.errors : vErrors.concat(validate149.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ttlSeconds !== undefined){
let data5 = data.ttlSeconds;
const _errs9 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate145.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 3600 || isNaN(data5)){
validate145.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600"}];
return false;
}
else {
if(data5 < 30 || isNaN(data5)){
validate145.errors = [{instancePath:instancePath+"/ttlSeconds",schemaPath:"#/properties/ttlSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 30},message:"must be >= 30"}];
return false;
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request !== undefined){
const _errs11 = errors;
if(!(validate124(data.request, {instancePath:instancePath+"/request",parentData:data,parentDataProperty:"request",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/createdBy",schemaPath:"#/properties/createdBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/state",schemaPath:"#/properties/state/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stateVersion !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partySource !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.participants !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocol !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageDigest !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/messageDigest",schemaPath:"#/properties/messageDigest/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.derivationPath !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delegateUserShare !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/delegateUserShare",schemaPath:"#/properties/delegateUserShare/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recoveryId !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/recoveryId",schemaPath:"#/properties/recoveryId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureReason !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureDetail !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/failureDetail",schemaPath:"#/properties/failureDetail/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.culpritPartyIds !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/culpritPartyIds",schemaPath:"#/properties/culpritPartyIds/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingParties !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/missingParties",schemaPath:"#/properties/missingParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ceremony !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/ceremony",schemaPath:"#/properties/ceremony/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replaces !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/replaces",schemaPath:"#/properties/replaces/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replacedBy !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/replacedBy",schemaPath:"#/properties/replacedBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.missingSince !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/missingSince",schemaPath:"#/properties/missingSince/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readyBy !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endedAt !== undefined){
var valid0 = false;
validate145.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate145.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate145.errors = vErrors;
return errors === 0;
}
validate145.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate144(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createCeremony" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate144.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate145(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate145.errors : vErrors.concat(validate145.errors);
errors = vErrors.length;
}
validate144.errors = vErrors;
return errors === 0;
}
validate144.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_cancelSigningSession = validate157;
const schema70 = {"$id":"check_cancelSigningSession","$ref":"document#/components/schemas/CancelRequest"};
const schema71 = {"type":"object","additionalProperties":false,"properties":{"reason":{"type":"string","minLength":1,"maxLength":500}}};

function validate158(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate158.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "reason")){
validate158.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.reason !== undefined){
let data0 = data.reason;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 500){
validate158.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate158.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate158.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
else {
validate158.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate158.errors = vErrors;
return errors === 0;
}
validate158.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate157(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_cancelSigningSession" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate157.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate158(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate158.errors : vErrors.concat(validate158.errors);
errors = vErrors.length;
}
validate157.errors = vErrors;
return errors === 0;
}
validate157.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_approveSigningSession = validate160;
const schema72 = {"$id":"check_approveSigningSession","$ref":"document#/components/schemas/RequestSignature"};

function validate161(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate161.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.keyId === undefined) && (missing0 = "keyId")) || ((data.algorithm === undefined) && (missing0 = "algorithm"))) || ((data.signature === undefined) && (missing0 = "signature"))){
validate161.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "keyId") || (key0 === "algorithm")) || (key0 === "signature"))){
validate161.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.keyId !== undefined){
const _errs2 = errors;
if(!(validate126(data.keyId, {instancePath:instancePath+"/keyId",parentData:data,parentDataProperty:"keyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.algorithm !== undefined){
const _errs3 = errors;
if(!(validate128(data.algorithm, {instancePath:instancePath+"/algorithm",parentData:data,parentDataProperty:"algorithm",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data2 = data.signature;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern14.test(data2)){
validate161.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){64}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){64}$"+"\""}];
return false;
}
}
else {
validate161.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate161.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate161.errors = vErrors;
return errors === 0;
}
validate161.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate160(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_approveSigningSession" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate160.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate161(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate161.errors : vErrors.concat(validate161.errors);
errors = vErrors.length;
}
validate160.errors = vErrors;
return errors === 0;
}
validate160.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_supplyDelegateUserShare = validate165;
const schema74 = {"$id":"check_supplyDelegateUserShare","$ref":"document#/components/schemas/DelegateUserShare"};

function validate166(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate166.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.delegatePartyId === undefined) && (missing0 = "delegatePartyId")) || ((data.recipientKeyId === undefined) && (missing0 = "recipientKeyId"))) || ((data.suite === undefined) && (missing0 = "suite"))) || ((data.encapsulatedKey === undefined) && (missing0 = "encapsulatedKey"))) || ((data.ciphertext === undefined) && (missing0 = "ciphertext"))) || ((data.aadSha256 === undefined) && (missing0 = "aadSha256"))) || ((data.shareType === undefined) && (missing0 = "shareType"))) || ((data.purpose === undefined) && (missing0 = "purpose"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))){
validate166.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema54.properties, key0))){
validate166.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.delegatePartyId !== undefined){
const _errs2 = errors;
if(!(validate118(data.delegatePartyId, {instancePath:instancePath+"/delegatePartyId",parentData:data,parentDataProperty:"delegatePartyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recipientKeyId !== undefined){
let data1 = data.recipientKeyId;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 128){
validate166.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate166.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate166.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suite !== undefined){
const _errs5 = errors;
if(!(validate120(data.suite, {instancePath:instancePath+"/suite",parentData:data,parentDataProperty:"suite",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.encapsulatedKey !== undefined){
let data3 = data.encapsulatedKey;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern9.test(data3)){
validate166.errors = [{instancePath:instancePath+"/encapsulatedKey",schemaPath:"#/properties/encapsulatedKey/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{43,1366}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{43,1366}$"+"\""}];
return false;
}
}
else {
validate166.errors = [{instancePath:instancePath+"/encapsulatedKey",schemaPath:"#/properties/encapsulatedKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ciphertext !== undefined){
let data4 = data.ciphertext;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(func1(data4) > 349526){
validate166.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/maxLength",keyword:"maxLength",params:{limit: 349526},message:"must NOT have more than 349526 characters"}];
return false;
}
else {
if(func1(data4) < 22){
validate166.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/minLength",keyword:"minLength",params:{limit: 22},message:"must NOT have fewer than 22 characters"}];
return false;
}
else {
if(!pattern10.test(data4)){
validate166.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate166.errors = [{instancePath:instancePath+"/ciphertext",schemaPath:"#/properties/ciphertext/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data5 = data.nonce;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(!pattern11.test(data5)){
validate166.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{16,86}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{16,86}$"+"\""}];
return false;
}
}
else {
validate166.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.aadSha256 !== undefined){
const _errs12 = errors;
if(!(validate113(data.aadSha256, {instancePath:instancePath+"/aadSha256",parentData:data,parentDataProperty:"aadSha256",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
let data7 = data.shareType;
const _errs13 = errors;
if(typeof data7 !== "string"){
validate166.errors = [{instancePath:instancePath+"/shareType",schemaPath:"#/properties/shareType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("delegate" !== data7){
validate166.errors = [{instancePath:instancePath+"/shareType",schemaPath:"#/properties/shareType/const",keyword:"const",params:{allowedValue: "delegate"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.purpose !== undefined){
let data8 = data.purpose;
const _errs15 = errors;
if(typeof data8 !== "string"){
validate166.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("signing" !== data8){
validate166.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/const",keyword:"const",params:{allowedValue: "signing"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data9 = data.expiresAt;
const _errs17 = errors;
if(errors === _errs17){
if(errors === _errs17){
if(typeof data9 === "string"){
if(!(formats0.validate(data9))){
validate166.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate166.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate166.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate166.errors = vErrors;
return errors === 0;
}
validate166.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate165(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_supplyDelegateUserShare" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate165.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate166(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
validate165.errors = vErrors;
return errors === 0;
}
validate165.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createAccount = validate171;
const schema76 = {"$id":"check_createAccount","$ref":"document#/components/schemas/AccountRequest"};
const schema77 = {"type":"object","additionalProperties":false,"required":["name","keyType","threshold","shares"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"ownerUserId":{"type":"string","minLength":1,"maxLength":200},"keyType":{"$ref":"document#/components/schemas/KeyType"},"publicKey":{"$ref":"document#/components/schemas/HexKey"},"threshold":{"type":"integer","minimum":1,"maximum":64},"shares":{"type":"array","minItems":1,"maxItems":64,"items":{"$ref":"document#/components/schemas/AccountShareRequest"}},"requests":{"$ref":"document#/components/schemas/RequestRule"},"requestKeys":{"$ref":"document#/components/schemas/RequestKeys"},"namedParties":{"$ref":"document#/components/schemas/NamedParties"},"chainCode":{"$ref":"document#/components/schemas/ChainCode"},"accountId":false,"tenantId":false,"status":false,"signingParties":false,"version":false,"createdAt":false,"updatedAt":false}};
const schema78 = {"type":"string","enum":["secp256k1","ed25519","p256"]};

function validate173(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate173.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate173.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "secp256k1") || (data === "ed25519")) || (data === "p256"))){
validate173.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema78.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate173.errors = vErrors;
return errors === 0;
}
validate173.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema79 = {"type":"string","pattern":"^(?:[0-9a-f]{2}){32,1024}$"};
const pattern19 = new RegExp("^(?:[0-9a-f]{2}){32,1024}$", "u");

function validate175(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate175.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern19.test(data)){
validate175.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){32,1024}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){32,1024}$"+"\""}];
return false;
}
}
else {
validate175.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate175.errors = vErrors;
return errors === 0;
}
validate175.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema80 = {"type":"string","enum":["optional","required"]};

function validate178(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate178.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate178.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "optional") || (data === "required"))){
validate178.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema80.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate178.errors = vErrors;
return errors === 0;
}
validate178.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema81 = {"type":"array","maxItems":16,"items":{"$ref":"document#/components/schemas/RequestKey"}};
const schema82 = {"type":"object","additionalProperties":false,"required":["keyId","algorithm","publicKey"],"properties":{"keyId":{"$ref":"document#/components/schemas/RequestKeyId"},"algorithm":{"$ref":"document#/components/schemas/RequestAlgorithm"},"publicKey":{"type":"string","pattern":"^(?:[0-9a-f]{2}){32,65}$"}}};
const pattern20 = new RegExp("^(?:[0-9a-f]{2}){32,65}$", "u");

function validate181(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate181.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.keyId === undefined) && (missing0 = "keyId")) || ((data.algorithm === undefined) && (missing0 = "algorithm"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))){
validate181.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "keyId") || (key0 === "algorithm")) || (key0 === "publicKey"))){
validate181.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.keyId !== undefined){
const _errs2 = errors;
if(!(validate126(data.keyId, {instancePath:instancePath+"/keyId",parentData:data,parentDataProperty:"keyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.algorithm !== undefined){
const _errs3 = errors;
if(!(validate128(data.algorithm, {instancePath:instancePath+"/algorithm",parentData:data,parentDataProperty:"algorithm",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
let data2 = data.publicKey;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern20.test(data2)){
validate181.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){32,65}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){32,65}$"+"\""}];
return false;
}
}
else {
validate181.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate181.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate181.errors = vErrors;
return errors === 0;
}
validate181.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate180(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate180.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 16){
validate180.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate181(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate181.errors : vErrors.concat(validate181.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
else {
validate180.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate180.errors = vErrors;
return errors === 0;
}
validate180.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const schema83 = {"type":"string","enum":["refused","allowed"]};

function validate186(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate186.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate186.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "refused") || (data === "allowed"))){
validate186.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema83.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate186.errors = vErrors;
return errors === 0;
}
validate186.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema84 = {"type":"string","pattern":"^[0-9a-f]{64}$"};

function validate188(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate188.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate188.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate188.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate188.errors = vErrors;
return errors === 0;
}
validate188.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate172(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate172.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.name === undefined) && (missing0 = "name")) || ((data.keyType === undefined) && (missing0 = "keyType"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.shares === undefined) && (missing0 = "shares"))){
validate172.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema77.properties, key0))){
validate172.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate172.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate172.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate172.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ownerUserId !== undefined){
let data1 = data.ownerUserId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate172.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate172.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate172.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keyType !== undefined){
const _errs6 = errors;
if(!(validate173(data.keyType, {instancePath:instancePath+"/keyType",parentData:data,parentDataProperty:"keyType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate173.errors : vErrors.concat(validate173.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
const _errs7 = errors;
if(!(validate175(data.publicKey, {instancePath:instancePath+"/publicKey",parentData:data,parentDataProperty:"publicKey",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate175.errors : vErrors.concat(validate175.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data4 = data.threshold;
const _errs8 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate172.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 64 || isNaN(data4)){
validate172.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/maximum",keyword:"maximum",params:{comparison: "<=", limit: 64},message:"must be <= 64"}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate172.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
let data5 = data.shares;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data5)){
if(data5.length > 64){
validate172.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
if(data5.length < 1){
validate172.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(validate150(data5[i0], {instancePath:instancePath+"/shares/" + i0,parentData:data5,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate150.errors : vErrors.concat(validate150.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate172.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests !== undefined){
const _errs13 = errors;
if(!(validate178(data.requests, {instancePath:instancePath+"/requests",parentData:data,parentDataProperty:"requests",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate178.errors : vErrors.concat(validate178.errors);
errors = vErrors.length;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requestKeys !== undefined){
const _errs14 = errors;
if(!(validate180(data.requestKeys, {instancePath:instancePath+"/requestKeys",parentData:data,parentDataProperty:"requestKeys",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate180.errors : vErrors.concat(validate180.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.namedParties !== undefined){
const _errs15 = errors;
if(!(validate186(data.namedParties, {instancePath:instancePath+"/namedParties",parentData:data,parentDataProperty:"namedParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate186.errors : vErrors.concat(validate186.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainCode !== undefined){
const _errs16 = errors;
if(!(validate188(data.chainCode, {instancePath:instancePath+"/chainCode",parentData:data,parentDataProperty:"chainCode",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate188.errors : vErrors.concat(validate188.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signingParties !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
var valid0 = false;
validate172.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate172.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate172.errors = vErrors;
return errors === 0;
}
validate172.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate171(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createAccount" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate171.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate172(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate172.errors : vErrors.concat(validate172.errors);
errors = vErrors.length;
}
validate171.errors = vErrors;
return errors === 0;
}
validate171.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_updateAccount = validate191;
const schema85 = {"$id":"check_updateAccount","$ref":"document#/components/schemas/AccountChange"};
const schema86 = {"type":"object","additionalProperties":false,"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"publicKey":{"$ref":"document#/components/schemas/HexKey"},"status":{"$ref":"document#/components/schemas/AccountStatus"},"requests":{"$ref":"document#/components/schemas/RequestRule"},"requestKeys":{"$ref":"document#/components/schemas/RequestKeys"},"namedParties":{"$ref":"document#/components/schemas/NamedParties"},"chainCode":{"$ref":"document#/components/schemas/ChainCode"},"accountId":false,"tenantId":false,"ownerUserId":false,"keyType":false,"threshold":false,"shares":false,"signingParties":false,"version":false,"createdAt":false,"updatedAt":false}};
const schema87 = {"type":"string","enum":["pending","active","frozen","archived"]};

function validate194(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate194.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate194.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "pending") || (data === "active")) || (data === "frozen")) || (data === "archived"))){
validate194.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema87.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate194.errors = vErrors;
return errors === 0;
}
validate194.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate192(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate192.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema86.properties, key0))){
validate192.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate192.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate192.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate192.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
const _errs4 = errors;
if(!(validate175(data.publicKey, {instancePath:instancePath+"/publicKey",parentData:data,parentDataProperty:"publicKey",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate175.errors : vErrors.concat(validate175.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate194(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate194.errors : vErrors.concat(validate194.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests !== undefined){
const _errs6 = errors;
if(!(validate178(data.requests, {instancePath:instancePath+"/requests",parentData:data,parentDataProperty:"requests",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate178.errors : vErrors.concat(validate178.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requestKeys !== undefined){
const _errs7 = errors;
if(!(validate180(data.requestKeys, {instancePath:instancePath+"/requestKeys",parentData:data,parentDataProperty:"requestKeys",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate180.errors : vErrors.concat(validate180.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.namedParties !== undefined){
const _errs8 = errors;
if(!(validate186(data.namedParties, {instancePath:instancePath+"/namedParties",parentData:data,parentDataProperty:"namedParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate186.errors : vErrors.concat(validate186.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chainCode !== undefined){
const _errs9 = errors;
if(!(validate188(data.chainCode, {instancePath:instancePath+"/chainCode",parentData:data,parentDataProperty:"chainCode",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate188.errors : vErrors.concat(validate188.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ownerUserId !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keyType !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/keyType",schemaPath:"#/properties/keyType/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signingParties !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
var valid0 = false;
validate192.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate192.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate192.errors = vErrors;
return errors === 0;
}
validate192.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate191(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_updateAccount" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate191.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate192(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate192.errors : vErrors.concat(validate192.errors);
errors = vErrors.length;
}
validate191.errors = vErrors;
return errors === 0;
}
validate191.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createParty = validate201;
const schema88 = {"$id":"check_createParty","$ref":"document#/components/schemas/PartyRequest"};
const schema89 = {"type":"object","additionalProperties":false,"required":["partyId","name","role","identityPublicKey","identitySignature"],"properties":{"partyId":{"$ref":"document#/components/schemas/PartyId"},"name":{"type":"string","minLength":1,"maxLength":200},"role":{"$ref":"document#/components/schemas/PartyRole"},"identityPublicKey":{"$ref":"document#/components/schemas/IdentityKey"},"identitySignature":{"$ref":"document#/components/schemas/IdentitySignature"},"certificate":{"$ref":"document#/components/schemas/PartyCertificate"},"status":false,"certificateSha256":false,"online":false,"lastSeenAt":false,"createdAt":false,"version":false}};
const schema90 = {"type":"string","enum":["server","user","delegate"]};

function validate204(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate204.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate204.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "server") || (data === "user")) || (data === "delegate"))){
validate204.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema90.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate204.errors = vErrors;
return errors === 0;
}
validate204.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema91 = {"type":"string","pattern":"^(?:[0-9a-f]{2}){32,1024}$"};

function validate206(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate206.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern19.test(data)){
validate206.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){32,1024}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){32,1024}$"+"\""}];
return false;
}
}
else {
validate206.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate206.errors = vErrors;
return errors === 0;
}
validate206.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema92 = {"type":"string","pattern":"^(?:[0-9a-f]{2}){8,1024}$"};
const pattern23 = new RegExp("^(?:[0-9a-f]{2}){8,1024}$", "u");

function validate208(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate208.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern23.test(data)){
validate208.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){8,1024}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){8,1024}$"+"\""}];
return false;
}
}
else {
validate208.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate208.errors = vErrors;
return errors === 0;
}
validate208.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema93 = {"type":"object","additionalProperties":false,"required":["publicKey","signature"],"properties":{"publicKey":{"$ref":"document#/components/schemas/HexKey"},"signature":{"type":"string","pattern":"^(?:[0-9a-f]{2}){8,1024}$"}}};

function validate210(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate210.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.publicKey === undefined) && (missing0 = "publicKey")) || ((data.signature === undefined) && (missing0 = "signature"))){
validate210.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "publicKey") || (key0 === "signature"))){
validate210.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.publicKey !== undefined){
const _errs2 = errors;
if(!(validate175(data.publicKey, {instancePath:instancePath+"/publicKey",parentData:data,parentDataProperty:"publicKey",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate175.errors : vErrors.concat(validate175.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data1 = data.signature;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern23.test(data1)){
validate210.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){8,1024}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){8,1024}$"+"\""}];
return false;
}
}
else {
validate210.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate210.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate210.errors = vErrors;
return errors === 0;
}
validate210.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate202(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate202.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.identityPublicKey === undefined) && (missing0 = "identityPublicKey"))) || ((data.identitySignature === undefined) && (missing0 = "identitySignature"))){
validate202.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema89.properties, key0))){
validate202.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.partyId !== undefined){
const _errs2 = errors;
if(!(validate118(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate202.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate202.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate202.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
const _errs5 = errors;
if(!(validate204(data.role, {instancePath:instancePath+"/role",parentData:data,parentDataProperty:"role",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate204.errors : vErrors.concat(validate204.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identityPublicKey !== undefined){
const _errs6 = errors;
if(!(validate206(data.identityPublicKey, {instancePath:instancePath+"/identityPublicKey",parentData:data,parentDataProperty:"identityPublicKey",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate206.errors : vErrors.concat(validate206.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identitySignature !== undefined){
const _errs7 = errors;
if(!(validate208(data.identitySignature, {instancePath:instancePath+"/identitySignature",parentData:data,parentDataProperty:"identitySignature",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate208.errors : vErrors.concat(validate208.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificate !== undefined){
const _errs8 = errors;
if(!(validate210(data.certificate, {instancePath:instancePath+"/certificate",parentData:data,parentDataProperty:"certificate",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate210.errors : vErrors.concat(validate210.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificateSha256 !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/certificateSha256",schemaPath:"#/properties/certificateSha256/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastSeenAt !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
var valid0 = false;
validate202.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate202.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate202.errors = vErrors;
return errors === 0;
}
validate202.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate201(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createParty" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate201.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate202(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate202.errors : vErrors.concat(validate202.errors);
errors = vErrors.length;
}
validate201.errors = vErrors;
return errors === 0;
}
validate201.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_updateParty = validate214;
const schema94 = {"$id":"check_updateParty","$ref":"document#/components/schemas/PartyChange"};
const schema95 = {"type":"object","additionalProperties":false,"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"status":{"$ref":"document#/components/schemas/PartyStatus"},"identityPublicKey":{"$ref":"document#/components/schemas/IdentityKey"},"identitySignature":{"$ref":"document#/components/schemas/IdentitySignature"},"certificate":{"anyOf":[{"$ref":"document#/components/schemas/PartyCertificate"},{"type":"null"}]},"currentSignature":{"type":"string","pattern":"^(?:[0-9a-f]{2}){8,1024}$"},"formerKeysSeconds":{"type":"integer","minimum":0,"maximum":2592000},"partyId":false,"role":false,"certificateSha256":false,"online":false,"lastSeenAt":false,"createdAt":false,"version":false}};
const schema96 = {"type":"string","enum":["active","suspended","revoked"]};

function validate216(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate216.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate216.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "active") || (data === "suspended")) || (data === "revoked"))){
validate216.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema96.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate216.errors = vErrors;
return errors === 0;
}
validate216.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate215(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate215.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func44.call(schema95.properties, key0))){
validate215.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 200){
validate215.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate215.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate215.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs4 = errors;
if(!(validate216(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identityPublicKey !== undefined){
const _errs5 = errors;
if(!(validate206(data.identityPublicKey, {instancePath:instancePath+"/identityPublicKey",parentData:data,parentDataProperty:"identityPublicKey",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate206.errors : vErrors.concat(validate206.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identitySignature !== undefined){
const _errs6 = errors;
if(!(validate208(data.identitySignature, {instancePath:instancePath+"/identitySignature",parentData:data,parentDataProperty:"identitySignature",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate208.errors : vErrors.concat(validate208.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificate !== undefined){
let data4 = data.certificate;
const _errs7 = errors;
const _errs8 = errors;
let valid1 = false;
const _errs9 = errors;
if(!(validate210(data4, {instancePath:instancePath+"/certificate",parentData:data,parentDataProperty:"certificate",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate210.errors : vErrors.concat(validate210.errors);
errors = vErrors.length;
}
var _valid0 = _errs9 === errors;
valid1 = valid1 || _valid0;
const _errs10 = errors;
if(data4 !== null){
const err0 = {instancePath:instancePath+"/certificate",schemaPath:"#/properties/certificate/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs10 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/certificate",schemaPath:"#/properties/certificate/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate215.errors = vErrors;
return false;
}
else {
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.currentSignature !== undefined){
let data5 = data.currentSignature;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern23.test(data5)){
validate215.errors = [{instancePath:instancePath+"/currentSignature",schemaPath:"#/properties/currentSignature/pattern",keyword:"pattern",params:{pattern: "^(?:[0-9a-f]{2}){8,1024}$"},message:"must match pattern \""+"^(?:[0-9a-f]{2}){8,1024}$"+"\""}];
return false;
}
}
else {
validate215.errors = [{instancePath:instancePath+"/currentSignature",schemaPath:"#/properties/currentSignature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.formerKeysSeconds !== undefined){
let data6 = data.formerKeysSeconds;
const _errs14 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate215.errors = [{instancePath:instancePath+"/formerKeysSeconds",schemaPath:"#/properties/formerKeysSeconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs14){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2592000 || isNaN(data6)){
validate215.errors = [{instancePath:instancePath+"/formerKeysSeconds",schemaPath:"#/properties/formerKeysSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2592000},message:"must be <= 2592000"}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate215.errors = [{instancePath:instancePath+"/formerKeysSeconds",schemaPath:"#/properties/formerKeysSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partyId !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/partyId",schemaPath:"#/properties/partyId/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificateSha256 !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/certificateSha256",schemaPath:"#/properties/certificateSha256/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastSeenAt !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
var valid0 = false;
validate215.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/false schema",keyword:"false schema",params:{},message:"boolean schema is false"}];
return false;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate215.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate215.errors = vErrors;
return errors === 0;
}
validate215.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate214(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_updateParty" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate214.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate215(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate215.errors : vErrors.concat(validate215.errors);
errors = vErrors.length;
}
validate214.errors = vErrors;
return errors === 0;
}
validate214.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_confirmPartyKeys = validate222;
const schema97 = {"$id":"check_confirmPartyKeys","$ref":"document#/components/schemas/PartyKeyConfirmation"};
const schema98 = {"type":"object","additionalProperties":false,"required":["proposalId"],"properties":{"proposalId":{"type":"string","minLength":1}}};

function validate223(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate223.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.proposalId === undefined) && (missing0 = "proposalId")){
validate223.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "proposalId")){
validate223.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.proposalId !== undefined){
let data0 = data.proposalId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate223.errors = [{instancePath:instancePath+"/proposalId",schemaPath:"#/properties/proposalId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate223.errors = [{instancePath:instancePath+"/proposalId",schemaPath:"#/properties/proposalId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
}
else {
validate223.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate223.errors = vErrors;
return errors === 0;
}
validate223.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate222(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_confirmPartyKeys" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate222.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate223(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate223.errors : vErrors.concat(validate223.errors);
errors = vErrors.length;
}
validate222.errors = vErrors;
return errors === 0;
}
validate222.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_freezeTenant = validate225;
const schema99 = {"$id":"check_freezeTenant","$ref":"document#/components/schemas/TenantFreezeRequest"};
const schema100 = {"type":"object","additionalProperties":false,"properties":{"reason":{"type":"string","minLength":1,"maxLength":500}}};

function validate226(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate226.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "reason")){
validate226.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.reason !== undefined){
let data0 = data.reason;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 500){
validate226.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate226.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate226.errors = [{instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
else {
validate226.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate226.errors = vErrors;
return errors === 0;
}
validate226.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate225(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_freezeTenant" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate225.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate226(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate226.errors : vErrors.concat(validate226.errors);
errors = vErrors.length;
}
validate225.errors = vErrors;
return errors === 0;
}
validate225.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createWebhook = validate228;
const schema101 = {"$id":"check_createWebhook","$ref":"document#/components/schemas/WebhookRequest"};
const schema102 = {"type":"object","additionalProperties":false,"required":["url"],"properties":{"url":{"type":"string","minLength":1,"maxLength":2000},"description":{"type":["string","null"],"minLength":1,"maxLength":200},"eventTypes":{"type":["array","null"],"minItems":1,"maxItems":3,"items":{"$ref":"document#/components/schemas/WebhookEventType"}},"categories":{"type":["array","null"],"minItems":1,"maxItems":50,"items":{"type":"string","minLength":1,"maxLength":100}},"enabled":{"type":"boolean"},"delaySeconds":{"type":["integer","null"],"minimum":1,"maximum":86400},"unlessRead":{"type":"boolean"}}};
const schema103 = {"type":"string","enum":["notification.created","notification.updated","notification.recalled"]};

function validate230(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate230.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate230.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "notification.created") || (data === "notification.updated")) || (data === "notification.recalled"))){
validate230.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema103.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate230.errors = vErrors;
return errors === 0;
}
validate230.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate229(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate229.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.url === undefined) && (missing0 = "url")){
validate229.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "url") || (key0 === "description")) || (key0 === "eventTypes")) || (key0 === "categories")) || (key0 === "enabled")) || (key0 === "delaySeconds")) || (key0 === "unlessRead"))){
validate229.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
let data0 = data.url;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 2000){
validate229.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate229.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate229.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
let data1 = data.description;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate229.errors = [{instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: schema102.properties.description.type},message:"must be string,null"}];
return false;
}
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate229.errors = [{instancePath:instancePath+"/description",schemaPath:"#/properties/description/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate229.errors = [{instancePath:instancePath+"/description",schemaPath:"#/properties/description/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventTypes !== undefined){
let data2 = data.eventTypes;
const _errs6 = errors;
if((!(Array.isArray(data2))) && (data2 !== null)){
validate229.errors = [{instancePath:instancePath+"/eventTypes",schemaPath:"#/properties/eventTypes/type",keyword:"type",params:{type: schema102.properties.eventTypes.type},message:"must be array,null"}];
return false;
}
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length > 3){
validate229.errors = [{instancePath:instancePath+"/eventTypes",schemaPath:"#/properties/eventTypes/maxItems",keyword:"maxItems",params:{limit: 3},message:"must NOT have more than 3 items"}];
return false;
}
else {
if(data2.length < 1){
validate229.errors = [{instancePath:instancePath+"/eventTypes",schemaPath:"#/properties/eventTypes/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate230(data2[i0], {instancePath:instancePath+"/eventTypes/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate230.errors : vErrors.concat(validate230.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.categories !== undefined){
let data4 = data.categories;
const _errs9 = errors;
if((!(Array.isArray(data4))) && (data4 !== null)){
validate229.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/type",keyword:"type",params:{type: schema102.properties.categories.type},message:"must be array,null"}];
return false;
}
if(errors === _errs9){
if(Array.isArray(data4)){
if(data4.length > 50){
validate229.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
if(data4.length < 1){
validate229.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
let data5 = data4[i1];
const _errs11 = errors;
if(errors === _errs11){
if(typeof data5 === "string"){
if(func1(data5) > 100){
validate229.errors = [{instancePath:instancePath+"/categories/" + i1,schemaPath:"#/properties/categories/items/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func1(data5) < 1){
validate229.errors = [{instancePath:instancePath+"/categories/" + i1,schemaPath:"#/properties/categories/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate229.errors = [{instancePath:instancePath+"/categories/" + i1,schemaPath:"#/properties/categories/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.enabled !== undefined){
const _errs13 = errors;
if(typeof data.enabled !== "boolean"){
validate229.errors = [{instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delaySeconds !== undefined){
let data7 = data.delaySeconds;
const _errs15 = errors;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (data7 !== null)){
validate229.errors = [{instancePath:instancePath+"/delaySeconds",schemaPath:"#/properties/delaySeconds/type",keyword:"type",params:{type: schema102.properties.delaySeconds.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs15){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 86400 || isNaN(data7)){
validate229.errors = [{instancePath:instancePath+"/delaySeconds",schemaPath:"#/properties/delaySeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400},message:"must be <= 86400"}];
return false;
}
else {
if(data7 < 1 || isNaN(data7)){
validate229.errors = [{instancePath:instancePath+"/delaySeconds",schemaPath:"#/properties/delaySeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.unlessRead !== undefined){
const _errs17 = errors;
if(typeof data.unlessRead !== "boolean"){
validate229.errors = [{instancePath:instancePath+"/unlessRead",schemaPath:"#/properties/unlessRead/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate229.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate229.errors = vErrors;
return errors === 0;
}
validate229.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate228(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createWebhook" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate228.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate229(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate229.errors : vErrors.concat(validate229.errors);
errors = vErrors.length;
}
validate228.errors = vErrors;
return errors === 0;
}
validate228.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_replayWebhookMessages = validate233;
const schema104 = {"$id":"check_replayWebhookMessages","$ref":"document#/components/schemas/WebhookReplaySelection"};
const schema105 = {"type":"object","additionalProperties":false,"properties":{"messageIds":{"$ref":"document#/components/schemas/WebhookMessageIds"},"dead":{"type":"boolean","const":true},"after":{"type":"string","pattern":"^msg_\\d{1,18}$"}}};
const schema106 = {"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","pattern":"^msg_\\d{1,18}$"}};
const pattern26 = new RegExp("^msg_\\d{1,18}$", "u");

function validate235(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate235.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 100){
validate235.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
if(data.length < 1){
validate235.errors = [{instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(!pattern26.test(data0)){
validate235.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/pattern",keyword:"pattern",params:{pattern: "^msg_\\d{1,18}$"},message:"must match pattern \""+"^msg_\\d{1,18}$"+"\""}];
return false;
}
}
else {
validate235.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
else {
validate235.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate235.errors = vErrors;
return errors === 0;
}
validate235.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

function validate234(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate234.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "messageIds") || (key0 === "dead")) || (key0 === "after"))){
validate234.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.messageIds !== undefined){
const _errs2 = errors;
if(!(validate235(data.messageIds, {instancePath:instancePath+"/messageIds",parentData:data,parentDataProperty:"messageIds",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate235.errors : vErrors.concat(validate235.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dead !== undefined){
let data1 = data.dead;
const _errs3 = errors;
if(typeof data1 !== "boolean"){
validate234.errors = [{instancePath:instancePath+"/dead",schemaPath:"#/properties/dead/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
if(true !== data1){
validate234.errors = [{instancePath:instancePath+"/dead",schemaPath:"#/properties/dead/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.after !== undefined){
let data2 = data.after;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern26.test(data2)){
validate234.errors = [{instancePath:instancePath+"/after",schemaPath:"#/properties/after/pattern",keyword:"pattern",params:{pattern: "^msg_\\d{1,18}$"},message:"must match pattern \""+"^msg_\\d{1,18}$"+"\""}];
return false;
}
}
else {
validate234.errors = [{instancePath:instancePath+"/after",schemaPath:"#/properties/after/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate234.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate234.errors = vErrors;
return errors === 0;
}
validate234.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate233(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_replayWebhookMessages" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate233.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate234(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate234.errors : vErrors.concat(validate234.errors);
errors = vErrors.length;
}
validate233.errors = vErrors;
return errors === 0;
}
validate233.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_dropWebhookMessages = validate238;
const schema107 = {"$id":"check_dropWebhookMessages","$ref":"document#/components/schemas/WebhookDropSelection"};
const schema108 = {"type":"object","additionalProperties":false,"properties":{"messageIds":{"$ref":"document#/components/schemas/WebhookMessageIds"}}};

function validate239(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate239.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "messageIds")){
validate239.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.messageIds !== undefined){
if(!(validate235(data.messageIds, {instancePath:instancePath+"/messageIds",parentData:data,parentDataProperty:"messageIds",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate235.errors : vErrors.concat(validate235.errors);
errors = vErrors.length;
}
}
}
}
else {
validate239.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate239.errors = vErrors;
return errors === 0;
}
validate239.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate238(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_dropWebhookMessages" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate238.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate239(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate239.errors : vErrors.concat(validate239.errors);
errors = vErrors.length;
}
validate238.errors = vErrors;
return errors === 0;
}
validate238.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

/** Checks the JSON body of an operation and fills in its defaults. */
export const bodyChecks: Readonly<Record<string, Check>> = {
  markNotificationsRead: check_markNotificationsRead,
  markNotificationsUnread: check_markNotificationsRead,
  markNotificationsSeen: check_markNotificationsRead,
  archiveNotifications: check_markNotificationsRead,
  unarchiveNotifications: check_markNotificationsRead,
  markNotificationsInteracted: check_markNotificationsInteracted,
  snoozeNotifications: check_snoozeNotifications,
  unsnoozeNotifications: check_markNotificationsInteracted,
  deleteNotifications: check_markNotificationsInteracted,
  replaceNotificationPreferences: check_replaceNotificationPreferences,
  setQuietHours: check_setQuietHours,
  replaceNotificationSettings: check_replaceNotificationSettings,
  updateMessage: check_updateMessage,
  createNotifications: check_createNotifications,
  createSigningConfig: check_createSigningConfig,
  updateSigningConfig: check_createSigningConfig,
  createSigningSession: check_createSigningSession,
  createSigningSessions: check_createSigningSessions,
  createCeremony: check_createCeremony,
  cancelSigningSession: check_cancelSigningSession,
  approveSigningSession: check_approveSigningSession,
  supplyDelegateUserShare: check_supplyDelegateUserShare,
  createAccount: check_createAccount,
  updateAccount: check_updateAccount,
  createParty: check_createParty,
  updateParty: check_updateParty,
  confirmPartyKeys: check_confirmPartyKeys,
  freezeTenant: check_freezeTenant,
  createWebhook: check_createWebhook,
  replaceWebhook: check_createWebhook,
  replayWebhookMessages: check_replayWebhookMessages,
  dropWebhookMessages: check_dropWebhookMessages,
};
