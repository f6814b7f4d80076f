"""What the commonest words of requests are in English, as tables: German, French, Spanish, Italian.

Words are plain: lower case, without accents. `stem*` stands for every word that begins so.
"""

from typing import Final

TONGUES: Final = ("german", "french", "spanish", "italian")
"""The languages, in the order of the columns."""

VERBS: Final = """
    cancel | stornier* abbestell* absag* | annul* resili* | cancel* anul* | annull* cancell* disdi* disdett*
    send | schick* send* verschick* zusend* | envoie* envoy* | envia envie enviar enviame | invi* manda mandi mandami
    send | ubermittel* maile mail | expedi* transmet* | manda mande mandame remit* | mandare spedi* inoltr*
    book | buch* | book | contrat* | book
    reserve | reservier* | reserv* | reserv* | prenot* riserv*
    delete | losch* | supprim* efface* | elimin* borr* suprim* | elimin* cancell* rimuov*
    remove | entfern* | enlev* retirez retirer | quita quitar retira retirar | rimuov* togli*
    create | erstell* erzeug* | cree crees creez | crea cree crear | crea crei creami
    create | anleg* leg | creer etabli* | creame genera genere | creare genera generi
    show | zeig* | montr* affich* | muestra* muestre* mostrar ensena* | mostra* visualizza*
    open | offne* | ouvr* | abre* abra* abrir | apri aprite aprimi aprire apra
    close | schlies* | ferm* clos* | cierr* cerrar | chiud*
    start | start* | demarr* lanc* | inici* arranc* | avvi*
    restart | neustart* | redemarr* relanc* | reinici* | riavvi*
    stop | stopp* halt* | arret* stopp* | deten* para parar pare | ferm* arrest*
    change | ander* | chang* modifi* | cambi* modific* | cambi* modific*
    set | setz* | mets mettez mettre regle reglez | pon ponga poner | imposta* metti*
    set | stell* | regler fixe fixez fixer defini* | fija* ajust* establec* | mett* fissa*
    move | verschieb* verleg* | deplac* decal* | muev* mover aplaz* traslad* | spost* rinvi* rimand*
    turn on | einschalt* anschalt* | allum* activ* | enciend* encend* activ* | accend* attiv*
    turn off | ausschalt* abschalt* | etein* desactiv* coupe coupez | apag* desactiv* | spegn* spegni disattiv*
    block | sperr* blockier* | bloqu* | bloque* | blocc*
    unblock | entsperr* freischalt* | debloqu* | desbloque* | sblocc*
    transfer | uberweis* | vire* virer transfer* | transfi* transfer* | trasferi* bonific* versa
    pay | bezahl* zahl* | paye payez payer | paga pague pagar | paga paghi
    pay | begleich* | paie regle* | pago abon* | pagare salda*
    order | bestell* | commande commandez commander | pide pida pedir encarg* | ordin*
    buy | kauf* | achet* | compr* | compr* acquist*
    return | zuruckschick* retournier* | renvo* retourn* | devuelv* devolv* | restitui* rendi
    refund | erstatt* | rembours* | reembols* | rimbors*
    approve | genehmig* freigib* | approuv* valide | aprueb* aprob* | approv*
    approve | bewillig* | validez valider | autoriz* | autorizz*
    reject | ablehn* zuruckweis* | refus* rejet* | rechaz* deneg* | rifiut* respin*
    assign | zuweis* zuteil* weise | assign* attribu* affect* confi* | asign* atribu* | assegn* affid*
    extend | verlanger* | prolong* | prorrog* prolong* extiend* amplia* | prolung* estend*
    renew | erneuer* | renouvel* | renuev* renov* | rinnov*
    add | hinzufug* erganz* fug* | ajout* | anad* agreg* | aggiung*
    print | druck* ausdruck* | imprim* | imprim* | stamp*
    water | gies* bewasser* | arros* | rieg* regar | innaffi* annaffi* irrig*
    heat | heiz* beheiz* | chauff* | calient* calent* | riscald* scald*
    wake | weck* | reveill* | despiert* despert* | svegli*
    bring | bring* | apport* amen* | traiga trae traer | porta* porti*
    call | ruf* anruf* | appel* | llam* | chiam*
    remind | erinner* | rappel* | recuerd* recorda* | ricorda*
    note | notier* vermerk* | notez noter | anot* apunt* | annot* segna*
    share | teil* freigeb* | partag* | compart* | condivid*
    save | speicher* | enregistr* sauvegard* | guarda guarde guardar | salva salvi
    export | exportier* | export* | export* | esport*
    scale | skalier* | scal* passe | escal* | scal*
    deploy | deploy* ausroll* | deploi* deploy* | despleg* despliegu* | distribu* rilasci*
    roll back | zuruckroll* | retablis* | reviert* revert* | ripristin*
    silence | stummschalt* | silenc* | silenci* | silenzi*
    mute | stumm* | mute* | mute* | muta*
    check | pruf* kontrollier* | verifi* controle* | comprueb* comprob* revis* verific* | controll* verific*
    track | verfolg* | suiv* suis | rastre* | traccia*
    find | find* such* | trouv* cherch* | encuentr* encontr* busc* | trov* cerc*
    give | gib geb* | donn* | da dame dale dar | dai dammi dagli dare
    make | mach* | fais faites faire | haz haga hacer hazme | fai faccia fare fammi
    request | beantrag* anforder* | demande demandez demander | solicit* | richied* chied*
    grant | erteil* gewahr* | accord* octro* | conced* otorg* | conced*
    revoke | entzieh* widerruf* | revoqu* | revoc* | revoc*
    confirm | bestatig* | confirm* | confirm* | conferm*
    enter | eintrag* trag* | saisis* inscri* | introduc* registr* | inseri* registr*
    increase | erhoh* | augment* | aument* sube suba subir | aument* alza*
    lower | senk* reduzier* | baiss* redui* | baja baje bajar reduc* | abbass* ridu*
    swap | tausch* | echang* | intercambi* | scambi*
    schedule | plane planen | planifi* programm* | program* planific* | programm* pianific*
    update | aktualisier* | mets-a-jour actualis* | actualiz* | aggiorn*
    rename | umbenenn* | renomm* | renombr* | rinomin*
    charge | berechn* belast* | facturez facturer | cobra* carga cargue | addebit*
    take | nimm nehm* | prends prenez prendre | toma tomar coge | prendi prenda
    want | mochte* will wollen | veux voudrais souhait* aimerais | quiero quisiera quier* | voglio vorrei vorremmo
    need | brauch* benotig* | besoin faut | necesit* | servono bisogno
    replace | ersetz* | remplac* | reemplaz* | sostitu*
    sign up | anmeld* | inscri* | inscrib* | iscriv*
    lock | verriegel* abschlies* | verrouill* | cierra | chiudi
    unlock | aufschlies* entriegel* | deverrouill* | abre | sblocca
    pick up | abhol* | ramass* recuper* | recog* | ritir*
    ship | liefer* versend* | livr* | entreg* | consegn*
    log | erfass* | log | registr* | registr*
    pause | pausier* | suspendez suspendre | suspende suspender pausa | sospend*
    complain | beschwer* reklamier* | reclam* plain* | reclam* quej* | reclam*
    travel | reise verreis* flieg* | voyag* | viaj* voy | viaggi* vado parto
    check in | eincheck* | | |
    escalate | eskalier* | escalad* | | escal*
    join | teilnehm* beitret* | rejoin* particip* | unirme participar | partecip*
    repair | reparier* | repare* | reparar repare repara | ripar*
    clean | putz* reinig* saug* saubermach* | nettoy* | limpi* | puli*
    dim | dimm* | tamis* | atenu* | attenu*
    write | schreib* | ecri* | escrib* | scriv*
    tell | sag sagen sage | dis dites dire | dile digale decir | digli dica dire
    inform | informier* benachrichtig* | previens prevenez informe | informa informe avisa avise | informa avvis*
    play | spiel spiele spielen | joue jouez jouer | reproduc* | suona riproduci
    rent | miet* | loue louez louer | alquil* | affitt* noleggi*
    invite | einlad* | invitez inviter | invita invite invitar | invita invitare
    upload | hochlad* | televers* | | carica caricare
    download | herunterlad* | telecharg* | descarg* | scaric*
    install | installier* | installez installer | instal* | installa installare
    reset | zurucksetz* | reinitialis* | restablec* | reimpost* azzer*
    finish | beend* | termine terminez terminer | termina termine acaba | termina finisci
    register | registrier* | | |
    use | benutz* verwend* nutz* einlos* | utilis* | utiliz* usa usar | utilizz* usa usare
    apply | anwend* | applique* | aplica aplique aplicar | applica applicare
    dispute | anfecht* bestreit* | contest* | disput* impugn* | contesta contestare
    withdraw | zuruckzieh* abheb* | | |
    archive | archivier* | archivez archiver | archiva archivar | archivia archiviare
    merge | zusammenfuhr* | fusionn* | fusion* | unisci fondi
    publish | veroffentlich* | publie* | publica publique publicar | pubblic*
    sign | unterschreib* unterzeichn* | signe signez signer | firma firmar | firma firmare
    visit | besuch* | rends-visite visitez visiter | visita visite visitar | visita visitare
    arrange | vereinbar* arrangier* | organise* | organiza organice | organizza organizzare
"""
"""Rows of an English verb and its forms by language."""

NOUNS: Final = """
    card | karte* | carte* | tarjeta* | carta carte tessera
    credit card | kreditkarte* | | |
    credit | | credit | credito | credito
    debit | debit | debit | debito | debito
    account | konto kontos konten girokonto | compte* | cuenta* | conto conti
    savings | spar* sparkonto | epargne | ahorro* | risparmi*
    balance | kontostand saldo | solde | saldo | saldo
    limit | limit | limite plafond | limite | limite massimale
    statement | kontoauszug auszug | releve* | extracto* | estratto
    bill | rechnung* | facture* | factura* | fattur* bolletta
    money | geld | argent | dinero | soldi denaro
    euros | euro | euros | euros | euro
    pounds | pfund | livres | libras | sterline
    dollars | dollar | dollars | dolares | dollari
    order | bestellung* auftrag* | commande* | pedido* | ordine ordini
    parcel | paket* sendung* | colis paquet* | paquete* | pacco pacchi
    shipment | lieferung* | livraison* expedition* | envio* entrega* | spedizione spedizioni consegna consegne
    truck | lkw lastwagen laster | camion* | camion* | camion
    dock | tor rampe | quai | muelle | banchina
    label | etikett* | etiquette* | etiqueta* | etichett*
    labels | etiketten | etiquettes | etiquetas | etichette
    copies | kopien exemplare | copies exemplaires | copias | copie
    pieces | stuck | pieces | piezas unidades | pezzi
    stock | bestand lager | stock | existencias | scorte magazzino
    address | adresse | adresse | direccion | indirizzo
    customer | kunde* kundin | client* | cliente* | client*
    contact | kontakt* | contact* | contacto* | contatt*
    deal | deal geschaft | affaire | trato negocio | affare trattativa
    offer | angebot* | offre* devis | oferta* presupuesto | offert* preventivo
    note | notiz* | remarque* | nota* | nota
    task | aufgabe* | tache* | tarea* | compito attivita
    appointment | termin* | rendez-vous | cita* | appuntament*
    meeting | besprechung* sitzung* | reunion* | reunion* | riunion*
    vacation | urlaub* ferien | conges vacances | vacaciones | ferie vacanze
    leave request | urlaubsantrag* | | |
    request | antrag* anfrage* | demande* | solicitud* | richiest*
    leave | frei | conge | permiso baja | permesso
    sick | krank | malade maladie | enfermo enferma enfermedad | malato malattia
    shift | schicht* | equipe service | turno* | turno turni
    hours | stunden | heures | horas | ore
    minutes | minuten | minutes | minutos | minuti
    days | tage tagen | jours | dias | giorni
    weeks | wochen | semaines | semanas | settimane
    week | woche | semaine | semana | settimana
    nights | nachte nachten | nuits | noches | notti
    report | bericht* report | rapport* | informe* reporte* | rapporto relazione
    sales | umsatz* verkaufe | ventes chiffre | ventas | vendite
    costs | kosten | couts frais | costes costos | costi
    month | monat* | mois | mes meses | mese mesi
    quarter | quartal* | trimestre* | trimestre* | trimestre*
    weekly | wochentlich | hebdomadaire | semanal semanalmente | settimanale settimanalmente
    daily | taglich | quotidien quotidiennement | diario diariamente | giornaliero quotidianamente
    monthly | monatlich | mensuel mensuellement | mensual mensualmente | mensile mensilmente
    room | zimmer raum | chambre* salle* | habitacion* sala* | camera camere stanza sala
    single room | einzelzimmer | | |
    double room | doppelzimmer | | |
    single | einzel* | simple individuelle | individual | singola
    double | doppel* | double | doble | doppia
    suite | suite | suite | suite | suite
    table | tisch* | table* | mesa* | tavolo tavoli
    people | personen leute gaste | personnes | personas | persone
    booking | buchung* | | | prenotazione prenotazioni
    reservation | reservierung* | reservation* | reserva* | riserva
    towels | handtucher handtuch | serviettes | toallas | asciugamani
    pillow | kissen | oreiller* | almohada* | cuscino cuscini
    blanket | decke | couverture* | manta* | coperta coperte
    key | schlussel | cle clef | llave* | chiave chiavi
    breakfast | fruhstuck | petit-dejeuner | desayuno | colazione
    wake-up call | weckruf | | | sveglia
    guest | gast | hote* | huesped* | ospite ospiti
    door | tur | porte* | puerta* | porta
    light | licht | lumiere* | luz | luce
    lamps | lampen lampe lichter | lampes lumieres | lamparas luces | lampade luci
    heating | heizung | chauffage | calefaccion | riscaldamento
    degrees | grad | degres | grados | gradi
    alarm | alarm wecker | alarme | alarma | allarme
    pump | pumpe | pompe | bomba | pompa
    tomatoes | tomaten | tomates | tomates | pomodori
    roses | rosen | roses | rosas | rose
    herbs | krauter | herbes | hierbas | erbe
    water | wasser | eau | agua | acqua
    service | dienst* | service* | servicio* | servizi*
    server | server | serveur* | servidor* | server
    database | datenbank* | base donnees | base datos | database
    backup | sicherung* backup | sauvegarde* | copia seguridad | backup
    logs | logs protokolle protokoll | journaux logs | registros logs | log registri
    alerts | warnungen alarme | alertes | alertas avisos | avvisi allarmi
    access | zugriff zugang | acces | acceso | accesso
    user | benutzer* nutzer* | utilisateur* | usuario* | utente utenti
    password | passwort kennwort | mot-de-passe | contrasena clave | password
    production | produktion | production prod | produccion | produzione
    replicas | replikate instanzen | repliques instances | replicas instancias | repliche istanze
    book | buch bucher | livre* | libro* | libro libri
    loan | ausleihe | pret emprunt | prestamo | prestito
    hold | vormerkung | | |
    ticket | ticket* | billet* ticket* | billete* ticket | bigliett*
    invoice | | | |
    file | datei* | fichier* | archivo* fichero* | file
    email | mail mails e-mail | courriel mail | correo | mail posta
    phone | telefon* | telephone | telefono | telefono
    number | nummer | numero | numero | numero
    date | datum | date | fecha | data
    name | name | nom | nombre | nome
    won | gewonnen | gagne | ganado ganada | vinto vinta
    lost | verloren | perdu perdue | perdido perdida | perso persa
    where | wo | ou | donde | dove
    when | wann | quand | cuando | quando
    who | wer | qui | quien | chi
    how many | wieviele | combien | cuantos cuantas | quanti quante
    how much | wieviel | | cuanto cuanta | quanto quanta
    what | was | quoi | que | cosa
    which | welche welcher welches | quel quelle | cual | quale qual
    is | ist | est | esta es | e
    today | heute | aujourd'hui | hoy | oggi
    tomorrow | | demain | | domani
    tonight | heute-abend | ce-soir | | stasera
    on | an ein | | | acceso accesa
    off | aus | | | spento spenta
    new | neue neuen neues neuer | nouveau nouvelle | nuevo nueva | nuovo nuova
    flight | flug fluge fluges | vol vols | vuelo* | volo voli
    trip | reise reisen | voyage* | viaje* | viaggio viaggi
    train | zug zuge | | tren trenes | treno treni
    car | auto autos wagen mietwagen | voiture* | coche* | macchina automobile
    seat | sitz* sitzplatz platz | siege* | asiento* | posto posti
    suitcase | koffer | valise* | maleta* | valig*
    bag | tasche | bagage bagages | equipaje | bagagl*
    window | fenster* | fenetre* | ventana* | finestr*
    kitchen | kuche | cuisine | cocina | cucina
    bedroom | schlafzimmer | | dormitorio | camera-da-letto
    living room | wohnzimmer | salon sejour | salon | soggiorno salotto
    hallway | flur diele | couloir | pasillo | corridoio
    bathroom | badezimmer | | bano | bagno
    front door | haustur eingangstur | | |
    blinds | jalousie* rollladen rollos | volets | persianas | tapparelle persiane
    floor | boden fussboden | | suelo | pavimento
    office | buro | bureau | oficina* | ufficio
    home | zuhause hause | maison | casa | casa
    course | kurs kurse schulung* | cours formation* | curso* | corso corsi
    certificate | bescheinigung* zertifikat* | certificat attestation* | certificado* | certificato attestato
    salary | gehalt* lohn | salaire* | salario* sueldo | stipendio
    badge | ausweis* | | credencial* | tesserino
    cart | warenkorb | panier | carrito | carrello
    coupon | gutschein* | | cupon* | buono
    mugs | tassen becher | tasses | tazas | tazze
    candles | kerzen | bougies | velas | candele
    message | nachricht* | | mensaje* | messaggi*
    status | | statut | estado | stato
    busy | beschaftigt | occupe occupee | ocupado ocupada | occupato occupata
    calendar | kalender | calendrier | calendario | calendario
    call | gesprach telefonat | coup-de-fil | llamada* | chiamata telefonata
    visit | besuch | visite | visita | visita
    year | jahr jahre | annee | ano anos | anno anni
    price | preis* | prix | precio* | prezz*
    contract | vertrag* | contrat | contrato* | contratto
    employee | mitarbeiter* | employe* | empleado* | dipendente
    colleague | kollege* kollegin | collegue* | companero* | collega
    doctor | arzt arztin | medecin | medico | medico dottore
    temperature | temperatur | | temperatura | temperatura
    volume | lautstarke | | volumen |
    music | musik | musique | musica | musica
    movie | | | pelicula | film
    error | fehler | erreur* | | errore
    problem | | probleme | problema* | problema
    payment | zahlung* | paiement* | | pagament*
    fee | gebuhr* | | comision | commissione
    overdraft | dispo dispokredit uberziehung* | decouvert | descubierto | scoperto
    standing order | dauerauftrag* | | |
    evening | abend | soir | noche | sera
    next | nachste nachsten nachster kommende | prochain prochaine | proximo proxima | prossimo prossima
    every | jeden jede jedes | chaque | cada | ogni
    another | weitere weiteren | autre | otro otra | altro altra
    again | neu wieder | encore nouveau | nuevo | nuovo
    all | alle alles | tous toutes tout | todos todas todo | tutti tutte tutto
"""
"""Rows of an English noun or the like and its forms by language."""

LITTLE: Final = """
    please | bitte | s'il-te-plait s'il-vous-plait plait | favor | favore
    the | der die das den dem des | le la les l | el la los las | il lo la i gli le l
    a | ein eine einen einem einer | un une | un una | un una uno
    my | mein meine meinen meiner meinem | mon ma mes | mi mis | mio mia miei mie
    for | fur | pour | para por | per
    to | zu zum zur nach | a au aux | al | al alla ai agli
    on | auf | sur | sobre en | su sul sulla
    of | von vom | de du des d | de del | di del della dei delle d
    in | im | dans en | en | in nel nella
    with | mit | avec | con | con
    at | um | | a | alle
    from | ab | depuis | desde | da dal dalla
    until | bis | jusqu | hasta | fino
    and | und | et | y | e
    you | sie du ihr | vous tu | usted tu | lei tu
    where is | | | | dov'e
    me | mir mich | me moi | me | mi
    it | es | | lo | lo
    this | diese dieser dieses | ce cette cet | este esta | questo questa
    two | zwei | deux | dos | due
    three | drei | trois | tres | tre
    four | vier | quatre | cuatro | quattro
"""
"""Rows of little words."""

APART: Final = """
    restart starte neu | turn-on schalt ein | turn-on schalt an
    turn-off schalt aus | turn-on mach an | turn-off mach aus
    open mach auf | close mach zu | create leg an | cancel sag ab | reject lehn ab | call ruf an | assign weis zu
    assign teil zu | add fug hinzu | reset setz zuruck | pick-up hol ab | enter trag ein | release gib frei
    approve gib frei | set-up richt ein | accept nimm an | scale fahr hoch | increase dreh auf | return schick zuruck
    increase stell hoch | turn-off stell ab | turn-off dreh ab | turn-on dreh an | shut-down fahr herunter
    check-in check ein | check-out check aus | forward leit weiter | pass-on gib weiter | sign-up meld an
    enroll trag ein | unsubscribe meld ab | lock schliess ab | lock sperr ab | unlock schliess auf
    unlock sperr auf | postpone schieb auf | cancel bestell ab | lower dreh runter | lower dreh herunter
    increase dreh hoch | deploy spiel aus | deploy spiel ein | deploy roll aus | roll-back roll zuruck
    replace tausch aus | take-back nimm zuruck | clean mach sauber | note schreib auf | upload lad hoch
    download lad herunter | invite lad ein | refund zahl zuruck | withdraw zieh zuruck
"""
"""German verbs of two parts: the English verb, how the first part begins, and the second, which ends the clause."""
